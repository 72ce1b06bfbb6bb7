"""The first look at a photo: the symbols that are decoded, and the scale of the search for others.

A small version of the photo is looked at while the photo itself is still being decoded.
"""

from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from basics.threads import Ahead
from printables.errors import PaperError
from printables.reading.photos.photo import load_grey
from printables.reading.symbols.decoding import Decoded, are_mirrored, corners_of, decode_frame
from printables.reading.symbols.search import (
    LARGEST_ENLARGEMENT,
    SCALES,
    SIDE_PX,
    View,
    centre_part,
    seen_symbols,
    sides_of,
)

_ENOUGH = 0.5
"""Least share of the deck that must be decoded at half the photo's size for the photo itself not to
be. Saves a twentieth of the time for 60 cards: in 149 photos by a fifth simulator and of our own,
as many cards are read if the photo is always decoded, 1,577 instead of 1,575 unread ones are
outlined, and 134 instead of 139 places without a card."""
_CROWDED = 12
"""Fewest cards of the deck that must be decoded at half the photo's size, or in its central ninth,
for the rest not to be decoded; also fewest symbols seen in the central ninth if none is decoded
there. Saves a twentieth of the time: in 78 photos by a second simulator, with an earlier version,
as many symbols are read if all is decoded."""


@dataclass(frozen=True, eq=False)
class Look:
    """What a first look at a photo shows.

    Attributes
    ----------
    shape : tuple of int
        Height and width of the picture that was looked at, pixels.
    found : list of Decoded
        In pixels of that picture.
    side : float or None
        Of the symbols that the search is for, pixels of that picture; None if unknown.
    largest : float
        Greatest enlargement of the photo for the search.
    complete : bool
        Whether all of the photo itself was decoded, rather than a small version or a part of it.
    """

    shape: tuple[int, ...]
    found: list[Decoded]
    side: float | None
    largest: float = LARGEST_ENLARGEMENT
    complete: bool = False

    def of_photo(self, grey: NDArray[np.uint8]) -> tuple[list[Decoded], View]:
        """The symbols decoded, in the photo's pixels, and the photo at the scale of the search."""
        times = round(max(grey.shape) / max(self.shape))
        # an odd row or column may be the first one if the photo was turned upright
        shift = np.array(grey.shape[::-1]) / 2 - times * np.array(self.shape[::-1]) / 2
        found = [Decoded(one.code, times * one.corners + shift) for one in self.found]
        if self.side is None:
            return found, View.at(grey, SCALES[0], False)
        scale = min(float(SIDE_PX / (self.side * times)), self.largest)
        return found, View.at(grey, scale, True)


def load_and_look(
    photo: bytes | NDArray[np.uint8], codes: Collection[str], most_bytes: int, name: str
) -> tuple[NDArray[np.uint8], Look | None]:
    """Open a photo, and look at it at half its size meanwhile.

    Parameters
    ----------
    photo : bytes or uint8 array
    codes : collection of str
        Of the known deck; empty if none is known.
    most_bytes : int
    name : str
        As for `load_grey`.

    Returns
    -------
    grey : uint8 array, shape (height, width)
    look : Look or None
        As from `first_look`; None for an array, without a known deck, or if the small version does
        not fit the photo.

    Raises
    ------
    PaperError
        As by `load_grey`.
    """
    if isinstance(photo, np.ndarray) or not codes:
        return load_grey(photo, most_bytes, name), None
    whole, look = Ahead(partial(load_grey, photo, most_bytes, name)), None
    # a photo that cannot be opened is refused below
    with suppress(PaperError):
        look = first_look(load_grey(photo, most_bytes, reduction=2), codes)
    grey = whole.result()
    # OpenCV squeezes TIFF files that are turned
    fits = look is not None and np.abs(np.divide(grey.shape, 2) - look.shape).max() < 1
    return grey, look if fits else None


def first_look(small: NDArray[np.uint8], codes: Collection[str]) -> Look | None:
    """Decode the symbols in a small version of a photo.

    Parameters
    ----------
    small : uint8 array, shape (height, width)
    codes : collection of str
        Of the known deck: to recognise its symbols takes less time than to decode them.

    Returns
    -------
    Look or None
        None if no card of the deck is decoded in the middle, if too few are, or if they are
        mirrored.
    """
    part = centre_part(small)
    if not any(symbol.code in codes for symbol in decode_frame(part)):
        return None
    found = decode_frame(small)
    own = [symbol for symbol in found if symbol.code in codes]
    if len(own) < max(_ENOUGH * len(codes), _CROWDED) or are_mirrored(small, own):
        return None
    others = max(len(codes) - len(own), 0)
    return Look(small.shape, found, _usual_side(corners_of(own), others))


def look_closely(grey: NDArray[np.uint8], codes: Collection[str]) -> Look:
    """Decode the symbols in a photo.

    To recognise many symbols of a known deck takes less time than to decode them. So if the middle
    of the photo shows many, the rest is not decoded. Mirrored symbols can only be decoded.

    Parameters
    ----------
    grey : uint8 array, shape (height, width)
    codes : collection of str
        Of the known deck; empty if none is known.

    Returns
    -------
    Look
    """
    if codes:
        part = centre_part(grey)
        found = decode_frame(part)
        own = [symbol for symbol in found if symbol.code in codes]
        if len(own) >= _CROWDED and not are_mirrored(part, own):
            low = np.array([side // 3 for side in grey.shape[::-1]])
            found = [Decoded(symbol.code, symbol.corners + low) for symbol in found]
            return Look(grey.shape, found, _usual_side(corners_of(own)))
        if not found:
            seen = max(seen_symbols(part), key=len)
            if len(seen) >= _CROWDED:
                return Look(grey.shape, [], _usual_side(seen), 1.0)
    found = decode_frame(grey)
    of_deck = [symbol for symbol in found if symbol.code in codes] or found
    side = _usual_side(corners_of(of_deck)) if found else None
    return Look(grey.shape, found, side, complete=True)


def _usual_side(corners: NDArray[np.float64], others: int = 0) -> float:
    """Side of the symbols that the search is for: unread ones tend to be far away, hence small, and
    `others` may be smaller than all of these."""
    sides = sides_of(corners)
    all_sides = np.concatenate([np.zeros(others), sides])
    return float(max(np.quantile(all_sides, 0.25), sides.min()))
