"""Grouping cards by the bare table between them (single-linkage clustering).

A symbol's corners and the size of the cards give each card's outline on the table's plane
(`plane`). Cards whose outlines are closer than a gap are in one group. The gap lies in a break, up
to 45 mm, in the edge lengths of the minimum spanning tree, unless the researcher gives the number
of groups. Distances are measured between outlines, since those between symbols or card centres do
not tell how much bare table is between two cards. Groups are numbered from 1 in reading order: row
by row from the top, left to right.

References
----------
Gower, J. C., & Ross, G. J. S. (1969). Minimum spanning trees and single linkage cluster analysis.
Applied Statistics, 18(1), 54-64.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components, minimum_spanning_tree

from basics.wordings import Wording
from printables.cards.card import CardLayout
from printables.errors import PaperError
from printables.tabletop.outlines import outline_distances
from printables.tabletop.plane import fit_plane, map_points, rigid_poses

SMALLEST_GAP_MM = 18.0
"""Least gap between groups, in millimetres: closer cards are always in one group. Chosen from
rendered layouts; no scene tried differs at 5."""
LARGEST_GAP_MM = 45.0
"""Greatest gap within groups, in millimetres: cards farther apart are never neighbours. At 100 the
groups are wrong in nearly every scene, since the widest break is then often between two gaps that
both separate groups."""
MOST_INSIDE_MM, LEAST_BETWEEN_MM, _AS_ASKED = 25.0, 40.0, 1.5
"""Greatest distance between the cards of a group, and least distance between groups, that
researchers are asked to leave, in millimetres; and how many times more a break between them counts.
At 1 or 2 of the last, as many groupings are right in `tests/bench/bench_gaps.py --tables 100`."""
TIGHT_MM, _LIKELY = 8.0, 0.6
"""Distance within groups, in millimetres, from which breaks are measured if no cards are farther
apart, since the cards of tidy tables nearly touch; and share of the best break's score from which
another may be the one that separates groups. On the same tables without missing cards 98 % of the
groupings are right, 10 % needlessly in doubt and .5 % wrong without a warning; at 12 of the first,
98, 23 and .3 %, at 18 77, 20 and 2.6 %; at .4 of the second, 98, 25 and .3 %. If only breaks
between 18 and 45 mm count, and only by their width, as before, 66, 16 and 26 %."""

Points = NDArray[np.float64]
Groups = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class TablePlan:
    """The cards on the table in a top view.

    Attributes
    ----------
    to_table : float array, shape (3, 3)
        Homography from the photo's pixels to millimetres.
    outlines : float array, shape (cards, 4, 2)
        Corners of each card, millimetres, clockwise from the card's upper left.
    """

    to_table: Points
    outlines: Points

    def in_photo(self) -> Points:
        """The outlines in the photo's pixels."""
        return map_points(np.asarray(np.linalg.inv(self.to_table)), self.outlines)


def plan_table(corners: Points, layout: CardLayout | None = None) -> TablePlan:
    """Compute the cards' outlines from their symbols.

    Parameters
    ----------
    corners : float array, shape (cards, 4, 2)
        TL TR BR BL of each symbol as printed, pixels.
    layout : CardLayout, optional
        Size of the cards and position of the symbol; by default those of the default card.

    Returns
    -------
    TablePlan

    Raises
    ------
    PaperError
        If there is no card, or the shape is not (cards, 4, 2).
    """
    corners = np.asarray(corners, float)
    if corners.ndim != 3 or corners.shape[1:] != (4, 2):
        raise PaperError(
            Wording(
                "corners should be of shape (cards, 4, 2), not %(shape)s", shape=str(corners.shape)
            )
        )
    layout = layout or CardLayout()
    to_table = fit_plane(corners, layout.symbol.width)
    return TablePlan(to_table, card_outlines(map_points(to_table, corners), layout))


def card_outlines(symbols_mm: Points, layout: CardLayout) -> Points:
    """Compute the outlines of cards from their symbols on the table.

    Parameters
    ----------
    symbols_mm : float array, shape (cards, 4, 2)
        TL TR BR BL of each symbol as printed, millimetres.
    layout : CardLayout

    Returns
    -------
    float array, shape (cards, 4, 2)
        Millimetres, clockwise from each card's upper left.
    """
    middle, turn = rigid_poses(symbols_mm)
    box = layout.symbol
    left, top = -box.x - box.width / 2, -box.y - box.height / 2
    right, bottom = left + layout.width_mm, top + layout.height_mm
    ends = np.array([[left, top], [right, top], [right, bottom], [left, bottom]])
    return np.asarray(np.einsum("nij,cj->nci", turn, ends) + middle[:, None])


def group_cards(
    outlines: Points, groups: int | None = None, bridges: Points | None = None
) -> Groups:
    """Group cards by the distances between their outlines.

    Parameters
    ----------
    outlines : float array, shape (cards, 4, 2)
        Corners of each card on the table, millimetres.
    groups : int, optional
        The number of groups, if known.
    bridges : float array, shape (others, 4, 2), optional
        Outlines of unread cards, millimetres: they connect read cards but get no label.

    Returns
    -------
    int array, shape (cards,)
        Group of each card, numbered from 1 in reading order.

    Raises
    ------
    PaperError
        If more groups are asked for than there are cards, or fewer than one.

    Examples
    --------
    >>> card = np.array([[0, 0], [60, 0], [60, 40], [0, 40]], float)
    >>> group_cards(np.stack([card, card + [70, 0], card + [180, 0]]))
    array([1, 1, 2])
    """
    cards = len(outlines)
    if groups is not None and not 1 <= groups <= cards:
        raise PaperError(
            Wording(
                "%(cards)s cards cannot be in %(groups)s groups; count the groups again",
                cards=cards,
                groups=groups,
            )
        )
    if not cards:
        return np.zeros(0, np.intp)
    everything = outlines if bridges is None else np.concatenate([outlines, bridges])
    edges = spanning_tree(everything, np.inf if groups else LARGEST_GAP_MM)
    if groups is None:
        gap = separating_gap(edges[2], len(everything))
        labels = _connected(edges, gap, len(everything))[:cards]
    else:
        labels = _cut_into(groups, edges, cards, len(everything))
    return number_in_reading_order(labels, outlines)


def nearest_groups(outlines: Points, labels: Groups, others: Points) -> list[int | None]:
    """Find the group nearest to each of some other cards.

    Parameters
    ----------
    outlines : float array, shape (cards, 4, 2)
        Millimetres.
    labels : int array, shape (cards,)
        Group of each card.
    others : float array, shape (others, 4, 2)
        Millimetres.

    Returns
    -------
    list of int or None
        For each of `others`; None if every group is farther away than the greatest gap.
    """
    first, second, apart = outline_distances(np.concatenate([outlines, others]), LARGEST_GAP_MM)
    found: list[int | None] = []
    for other in range(len(outlines), len(outlines) + len(others)):
        mine = (second == other) & (first < len(outlines))
        found.append(int(labels[first[mine][apart[mine].argmin()]]) if mine.any() else None)
    return found


def separating_gap(distances: NDArray[np.float64], cards: int) -> float:
    """Find the gap that separates groups: the middle of the best break (see `_breaks`).

    Parameters
    ----------
    distances : float array
        Edge lengths of the minimum spanning tree up to 45 mm, in any order.
    cards : int
        Number of cards that the tree connects.

    Returns
    -------
    float
        Millimetres.

    Examples
    --------
    >>> separating_gap(np.array([3.0, 12.0, 24.0, 42.0]), 6)
    33.0
    >>> separating_gap(np.array([3.0, 7.0, 27.0, 30.0, 34.0]), 6)
    22.5
    """
    scores, middles = _breaks(distances, cards)
    return float(middles[scores.argmax()])


def likely_gaps(distances: NDArray[np.float64], cards: int) -> tuple[float, float]:
    """Find the least and the greatest gap that may separate groups: the middles of the best break
    and of those nearly as good.

    Parameters
    ----------
    distances : float array
    cards : int
        As for `separating_gap`.

    Returns
    -------
    least, greatest : float
        Millimetres.

    Examples
    --------
    >>> likely_gaps(np.array([3.0, 12.0, 29.0, 43.0]), 6)
    (23.5, 36.0)
    """
    scores, middles = _breaks(distances, cards)
    likely = middles[scores >= _LIKELY * scores.max()]
    return float(likely.min()), float(likely.max())


def _breaks(
    distances: NDArray[np.float64], cards: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Scores and middles of the breaks between distances that may separate groups.

    The score is the break's width times the logarithm of one more than the number of groups that it
    gives: wide gaps between few cards are in loose groups, those between many are between groups.
    """
    close = distances[distances <= SMALLEST_GAP_MM].max(initial=TIGHT_MM)
    inside = np.sort(distances[(distances > SMALLEST_GAP_MM) & (distances < LARGEST_GAP_MM)])
    marks = np.concatenate([[close], inside, [LARGEST_GAP_MM]])
    low, high = marks[:-1], marks[1:]
    groups = cards - np.searchsorted(np.sort(distances), low, side="right")
    scores = (high - low) * np.log1p(groups)
    scores[(low <= MOST_INSIDE_MM) & (high >= LEAST_BETWEEN_MM)] *= _AS_ASKED
    return scores, (np.maximum(low, SMALLEST_GAP_MM) + high) / 2


_Edges = tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.float64]]


def spanning_tree(outlines: Points, within_mm: float) -> _Edges:
    """Compute the minimum spanning tree of the distances between cards.

    Parameters
    ----------
    outlines : float array, shape (cards, 4, 2)
        Millimetres.
    within_mm : float
        Pairs farther apart are not connected, so the result may be a forest.

    Returns
    -------
    first, second : int arrays, shape (edges,)
        The cards at the ends of each edge.
    distances : float array, shape (edges,)
        Millimetres.
    """
    first, second, distances = outline_distances(outlines, within_mm)
    # scipy treats a distance of 0 as no edge, and touching cards have distance 0
    shape = (len(outlines), len(outlines))
    tree = minimum_spanning_tree(coo_array((distances + 1.0, (first, second)), shape)).tocoo()
    return tree.coords[0], tree.coords[1], tree.data - 1.0


def _connected(edges: _Edges, gap: float, cards: int) -> Groups:
    """Connected component of each card, by the edges that are not longer than the gap."""
    first, second, distances = edges
    kept = distances <= gap
    links = coo_array((np.ones(kept.sum()), (first[kept], second[kept])), (cards, cards))
    return np.asarray(connected_components(links, directed=False)[1], np.intp)


def _cut_into(groups: int, edges: _Edges, cards: int, everything: int) -> Groups:
    """Remove the longest edges of the tree until there are this many groups."""
    for gap in [np.inf, *(np.sort(edges[2])[::-1] - 1e-9), -1.0]:
        labels = _connected(edges, gap, everything)[:cards]
        if len(np.unique(labels)) >= groups:
            break
    return labels


def number_in_reading_order(labels: Groups, outlines: Points) -> Groups:
    """Number groups from 1 in reading order.

    A row of groups contains those whose top is above the middle of its highest group.

    Parameters
    ----------
    labels : int array, shape (cards,)
        Any numbers.
    outlines : float array, shape (cards, 4, 2)

    Returns
    -------
    int array, shape (cards,)
    """
    found = np.unique(labels)
    across = np.array([outlines[labels == group, :, 0].mean() for group in found])
    highest = np.array([outlines[labels == group, :, 1].min() for group in found])
    lowest = np.array([outlines[labels == group, :, 1].max() for group in found])
    order: list[int] = []
    waiting = np.argsort(highest, kind="stable")
    while len(waiting):
        in_row = highest[waiting] <= (highest[waiting[0]] + lowest[waiting[0]]) / 2
        row = waiting[in_row]
        order.extend(row[np.argsort(across[row], kind="stable")].tolist())
        waiting = waiting[~in_row]
    number = np.empty(len(found), np.intp)
    number[order] = np.arange(1, len(found) + 1)
    return number[np.searchsorted(found, labels)]
