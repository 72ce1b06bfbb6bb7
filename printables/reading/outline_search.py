"""Searching for symbols again on cards of which only the outlines were found.

An outline tells where the card's symbol is, in two or four ways in which the card may lie.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from printables.cards.card import CardLayout
from printables.reading.detections import Detections
from printables.reading.photos.overexposure import widen_overexposed_lines
from printables.reading.symbols.dark_squares import poses_of_squares
from printables.reading.symbols.search import View, distinct
from printables.tabletop.plane import map_points

Points = NDArray[np.float64]


def search_outlines(detected: Detections, outlines: Points) -> bool:
    """Find symbols on cards of which only the outlines are known.

    Parameters
    ----------
    detected : Detections
    outlines : float array, shape (cards, 4, 2)
        Millimetres, clockwise, starting at any corner.

    Returns
    -------
    bool
        Whether any symbols were read.
    """
    to_photo = np.asarray(np.linalg.inv(detected.plan.to_table))
    corners = map_points(to_photo, _symbol_places(outlines, detected.layout))
    if not len(corners):
        return False
    grey, view = widen_overexposed_lines(detected.grey, 1.0), detected.view
    if grey is not detected.grey:
        view = View.at(grey, view.scale, view.known)
    poses = poses_of_squares(view.grey, view.from_photo(corners), detected.blur())
    before, seen = len(detected.symbols), replace(detected, grey=grey, view=view)
    seen.add_poses(distinct(poses))
    if len(seen.symbols) == before:
        return False
    detected.symbols, detected.unread = seen.symbols, seen.unread
    return True


def _symbol_places(outlines: Points, card: CardLayout) -> Points:
    """Where the symbol of each card may be, for every way in which the card may be turned."""
    box, size = card.symbol, np.array([card.width_mm, card.height_mm])
    ends = (np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * box.width + [box.x, box.y]) / size
    places = []
    for turn in range(4):
        turned = np.roll(outlines, turn, axis=1)
        sides = np.stack([turned[:, 1] - turned[:, 0], turned[:, 3] - turned[:, 0]], 1)
        wide, high = np.linalg.norm(sides, axis=2).T
        # the long sides must be those of the layout
        fits = (wide - high) * (size[0] - size[1]) >= 0
        places.append((turned[:, :1] + ends @ sides)[fits])
    return np.concatenate(places)
