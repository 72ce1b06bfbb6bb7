"""Parts of a mask into which a disk or a card fits."""

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

_TURN = 15
"""Angle in degrees between the directions in which a card is tried. Not varied in any
measurement."""

Mask = NDArray[np.uint8]


def opened_by_disk(width: float, mask: Mask) -> Mask:
    """Find the parts of a mask into which a disk fits (morphological opening).

    Parameters
    ----------
    width : float
        Of the disk, pixels.
    mask : uint8 array, shape (height, width)

    Returns
    -------
    uint8 array, shape (height, width)
    """
    return _opened(max(round(width), 1), _closed(mask))


def _closed(mask: Mask) -> Mask:
    """A mask without its gaps of up to four pixels."""
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8)), np.uint8)


def _opened(side: int, closed: Mask) -> Mask:
    """The parts of a mask into which a disk of this width fits."""
    # a square inside the disk fits into few places, and is much faster
    within = np.ones((max(int(0.66 * side), 1),) * 2, np.uint8)
    left, over, across, down = cv2.boundingRect(cv2.erode(closed, within, borderValue=0))
    part = np.s_[
        max(over - side, 0) : over + down + side, max(left - side, 0) : left + across + side
    ]
    opened = np.zeros(closed.shape, np.uint8)
    if not across:
        return opened
    disk = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    # zero padding, so that half a disk at the picture's edge does not count
    opened[part] = cv2.morphologyEx(
        closed[part], cv2.MORPH_OPEN, disk, borderType=cv2.BORDER_CONSTANT, borderValue=0
    )
    return opened


def opened_roughly(width: float, mask: Mask) -> Mask:
    """Find the same from every second row and column, in an eighth of the time.

    Parameters
    ----------
    width, mask
        As for `opened_by_disk`.

    Returns
    -------
    uint8 array, shape (height, width)
        Exact to about two pixels.
    """
    # an opening with an even number of pixels shifts what it leaves
    half = _opened(2 * int(width / 4) + 1, np.ascontiguousarray(_closed(mask)[::2, ::2]))
    size = mask.shape[::-1]
    return np.asarray(cv2.resize(half, size, interpolation=cv2.INTER_NEAREST), np.uint8)


def opened_by_card(size: NDArray[np.float64], mask: Mask) -> Mask:
    """Find the parts of a mask into which a card fits, turned in any way.

    Parameters
    ----------
    size : float array, shape (2,)
        Of the card, pixels.
    mask : uint8 array, shape (height, width)

    Returns
    -------
    uint8 array, shape (height, width)
    """
    closed = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    opened = np.zeros(closed.shape, np.uint8)
    middle = int(np.ceil(np.hypot(*size) / 2))
    # a square inside the rectangle fits into few places
    within = np.ones((max(int(0.66 * size.min()), 1),) * 2, np.uint8)
    left, over, across, down = cv2.boundingRect(cv2.erode(closed, within, borderValue=0))
    if not across:
        return opened
    reach = 2 * middle + 1
    part = np.s_[max(over - reach, 0) : over + down + reach, max(left - reach, 0) :]
    for degrees in range(0, 180, _TURN):
        box = cv2.boxPoints(((middle, middle), size.tolist(), degrees))
        turned = filled((reach, reach), box[None])
        fits = cv2.morphologyEx(
            closed[part], cv2.MORPH_OPEN, turned, borderType=cv2.BORDER_CONSTANT, borderValue=0
        )
        opened[part][fits > 0] = 1
    return opened


def filled(shape: tuple[int, ...], cards: NDArray[Any]) -> Mask:
    """Fill cards in an empty mask.

    Parameters
    ----------
    shape : tuple of int
        Height and width of the mask, pixels.
    cards : array, shape (cards, 4, 2)
        Corners, pixels.

    Returns
    -------
    uint8 array, shape (height, width)
    """
    mask = np.zeros(shape, np.uint8)
    for card in np.round(cards).astype(np.int32):
        cv2.fillConvexPoly(mask, card, 1)
    return mask
