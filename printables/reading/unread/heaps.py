"""Finding heaps: fans and piles of cards that lie on each other."""

import numpy as np
from numpy.typing import NDArray

from printables.tabletop.doubts import TOUCHING_MM, components
from printables.tabletop.outlines import outline_distances, shared_part

_LEAST_OVER = 0.22
"""Share of a card's area under another card above which the two overlap rather than touch. Chosen
by trial; no scene tried differs at .02."""

Outlines = NDArray[np.float64]
Labels = NDArray[np.intp]


def overlapping_cards(outlines: Outlines, labels: Labels) -> list[tuple[int, int]]:
    """Find fans and piles of more than two overlapping cards.

    Parameters
    ----------
    outlines : float array, shape (cards, 4, 2)
        Millimetres.
    labels : int array, shape (cards,)
        Group of each card.

    Returns
    -------
    list of (int, int)
        Number of cards in each pile, and the group of its first card.
    """
    first, second, _ = outline_distances(outlines, 0.0)
    over = [
        (a, b)
        for a, b in zip(first, second, strict=True)
        if shared_part(outlines[a], outlines[b]) > _LEAST_OVER
    ]
    if not over:
        return []
    a, b = np.array(over).T
    part = components(a, b, len(outlines))
    heaps = [np.flatnonzero(part == heap) for heap in sorted(set(part[a].tolist()))]
    return [(len(heap), int(labels[heap[0]])) for heap in heaps if len(heap) > 2]


def overlaid_groups(
    outlines: Outlines, labels: Labels, unread: Outlines, scraps: Outlines
) -> list[int]:
    """Find groups with a fan or a pile in which not every code can be seen.

    In such a heap an unread card, or an edge of its paper, lies under or over a read card, or at a
    read card and under or over another unread card.

    Parameters
    ----------
    outlines : float array, shape (cards, 4, 2)
        Of the read cards, millimetres.
    labels : int array, shape (cards,)
        Group of each card.
    unread : float array, shape (others, 4, 2)
        Outlines of unread cards, millimetres.
    scraps : float array, shape (scraps, 4, 2)
        Outlines of paper that is too small to be a whole card, millimetres.

    Returns
    -------
    list of int
        Numbers of the groups.
    """
    cards, other = len(outlines), np.concatenate([unread, scraps])
    if not cards or not len(other):
        return []
    places = np.concatenate([outlines, other])
    first, second, _ = outline_distances(places, TOUCHING_MM)
    pairs = [(a, b) for a, b in zip(first, second, strict=True) if b >= cards]
    whole = [(a, b) for a, b in pairs if b < cards + len(unread)]
    over = {(a, b) for a, b in whole if shared_part(places[a], places[b]) > _LEAST_OVER}
    fanned = {place for pair in over if pair[0] >= cards for place in pair}
    return sorted(
        {
            int(labels[a])
            for a, b in pairs
            if a < cards and (b >= cards + len(unread) or (a, b) in over or b in fanned)
        }
    )
