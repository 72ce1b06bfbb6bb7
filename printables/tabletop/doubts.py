"""Finding uncertain groups.

Two groups are certain if there is only bare table between them. They are in doubt if an unread
card, a card of another deck, unidentified paper or something that may hide a card is between them,
or if the gap between them is hardly wider than the gaps within groups.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from printables.tabletop.grouping import (
    LARGEST_GAP_MM,
    LEAST_BETWEEN_MM,
    MOST_INSIDE_MM,
    SMALLEST_GAP_MM,
    TIGHT_MM,
    likely_gaps,
    separating_gap,
    spanning_tree,
)
from printables.tabletop.outlines import outline_distances

_NARROW_MM = 8.0
"""Difference, in millimetres, between the widest gap within groups and the narrowest gap between
groups, below which groups are in doubt: bent cards and lenses give errors of up to 3 mm. At 0
"careless" (300 cards) loses 3 of its 6 doubts."""
_BESIDE_MM = 6.0
"""Error of an unread card's outline, in millimetres; no scene tried differs at 0."""
_ERROR_MM = 3.0
"""Error of a distance between cards, in millimetres, because of bent cards and lenses."""
_MOST_CARDS = 100
"""Most cards of a group that is not in doubt although some are as far apart as groups may be: where
cards of one group are as far apart as groups, these run into each other. In 15 photos of 300
careless cards, by a fourth simulator, the largest groups had 185 cards and more in 12, and 107 at
most in 15 of ordinary ones."""
TOUCHING_MM = 1.0
"""Distance, in millimetres, within which two places belong to one object. No photo of 60
(`tests/bench/bench_hidden.py --first 80000 --photos 60`) differs at 0 or 10."""
ROUGH_MM = 15.0
"""Error, in millimetres, of a place where a card may be hidden, since such places are approximated
by squares of 20 mm. At 0, one grouping of 40 of the same photos (seed 80032) is wrong without a
warning; none differs at 40."""

Outlines = NDArray[np.float64]
Labels = NDArray[np.intp]


def groups_across(
    outlines: Outlines, labels: Labels, places: Outlines, beyond_mm: float
) -> list[list[int]]:
    """Find groups that hidden cards may connect.

    They are on several sides of unidentified paper, or of an object that may hide cards. Places
    that touch belong to one object.

    Parameters
    ----------
    outlines : float array, shape (cards, 4, 2)
        Millimetres.
    labels : int array, shape (cards,)
        Group of each card.
    places : float array, shape (places, 4, 2)
        Paper, or squares that cover an object, millimetres.
    beyond_mm : float
        Length by which a hidden card may extend beyond its visible part, millimetres.

    Returns
    -------
    list of list of int
        Numbers of groups that may be one.
    """
    if not len(places) or not len(outlines):
        return []
    cards = len(outlines)
    reach = _gap(outlines, labels) + beyond_mm
    first, second, apart = outline_distances(np.concatenate([outlines, places]), reach)
    touching = (first >= cards) & (apart <= TOUCHING_MM)
    component = components(first[touching] - cards, second[touching] - cards, len(places))
    return _around(component, labels, first, second)


def groups_across_foreign(
    outlines: Outlines, labels: Labels, foreign: Outlines, unread: Outlines
) -> list[list[int]]:
    """Find groups that would be one if the cards of other decks belonged to groups.

    Parameters
    ----------
    outlines : float array, shape (cards, 4, 2)
        Millimetres.
    labels : int array, shape (cards,)
        Group of each card.
    foreign : float array, shape (foreign, 4, 2)
        Read cards of other decks, millimetres.
    unread : float array, shape (others, 4, 2)
        Unread cards, which may connect a group to such a card, millimetres.

    Returns
    -------
    list of list of int
        Numbers of groups that may be one.
    """
    if not len(foreign) or not len(outlines):
        return []
    cards, everything = len(outlines), np.concatenate([outlines, foreign, unread])
    gap = separating_gap(spanning_tree(everything, LARGEST_GAP_MM)[2], len(everything))
    first, second, _ = outline_distances(everything, gap + _BESIDE_MM)
    tied = first >= cards
    component = components(first[tied] - cards, second[tied] - cards, len(everything) - cards)
    component[~np.isin(component, component[: len(foreign)])] = -1
    return _around(component, labels, first, second)


def _around(component: Labels, labels: Labels, first: Labels, second: Labels) -> list[list[int]]:
    """The groups beside each component of places, if there are several; -1 is no component.

    `first` and `second` are near each other: cards, counted from 0, and then the places.
    """
    cards = len(labels)
    beside = (first < cards) & (second >= cards)
    near = {
        (int(component[place - cards]), int(labels[card]))
        for card, place in zip(first[beside], second[beside], strict=True)
    }
    found = {tuple(sorted(g for t, g in near if t == one)) for one, _ in near if one >= 0}
    return [list(groups) for groups in sorted(found) if len(groups) > 1]


def groups_beside(
    outlines: Outlines, labels: Labels, places: Outlines, unread: Outlines
) -> list[int]:
    """Find groups that a card hidden at one of some places would belong to.

    Parameters
    ----------
    outlines : float array, shape (cards, 4, 2)
        Millimetres.
    labels : int array, shape (cards,)
        Group of each card.
    places : float array, shape (places, 4, 2)
        Where cards may be hidden, millimetres.
    unread : float array, shape (others, 4, 2)
        Unread cards, which may connect a group to a place, millimetres.

    Returns
    -------
    list of int
        Numbers of groups.
    """
    if not len(places) or not len(outlines):
        return []
    cards = len(outlines)
    reach, width = _gap(outlines, labels), max(_width(outlines), ROUGH_MM)
    first, second, apart = outline_distances(
        np.concatenate([outlines, unread, places]), reach + width
    )
    hiding = second >= cards + len(unread)
    # a card may begin before what hides most of it
    near = apart <= reach + np.where(hiding & (first < cards), width, ROUGH_MM * hiding)
    links = hiding | ((first < cards) & (second >= cards))
    tied = components(first[near & links], second[near & links], cards + len(unread) + len(places))
    beside = set(tied[cards + len(unread) :].tolist())
    return sorted({int(g) for g, part in zip(labels, tied, strict=False) if part in beside})


def bridged_groups(
    outlines: Outlines,
    labels: Labels,
    bridges: Outlines,
    between: Outlines,
    alone: NDArray[np.bool_] | None = None,
    sure: bool = False,
) -> list[list[int]]:
    """Find groups that unread cards connect, or may connect.

    Groups within a card's width of an unread card are in doubt if it may cover another card.

    Parameters
    ----------
    outlines : float array, shape (cards, 4, 2)
        Millimetres.
    labels : int array, shape (cards,)
        Group of each card.
    bridges : float array, shape (others, 4, 2)
        Outlines of unread cards, some of which may be other objects, millimetres.
    between : float array, shape (headers, 4, 2)
        Header cards, which connect the cards beside them, millimetres.
    alone : bool array, shape (others,), optional
        Which of `bridges` cover no other card; by default none.
    sure : bool
        Whether these are certainly cards, since no other cards are missing.

    Returns
    -------
    list of list of int
        Numbers of groups: a single group that may be two, or several that may be one.
    """
    if not len(bridges) or not len(outlines):
        return []
    cards, read = len(outlines), np.concatenate([outlines, between])
    everything = np.concatenate([read, bridges])
    gap = separating_gap(spanning_tree(everything, LARGEST_GAP_MM)[2], len(everything))
    near = gap + _BESIDE_MM
    reach = np.full(len(everything), max(near, _width(outlines)))
    if alone is not None:
        reach[len(read) :][alone] = near
    first, second, apart = outline_distances(everything, reach.max())
    bridging = (first < cards) & (second >= len(read)) & (apart <= reach[second])
    beside = [
        tuple(sorted(set(labels[first[bridging & (second == bridge)]].tolist())))
        for bridge in set(second[bridging].tolist())
    ]
    certain = np.arange(len(everything)) < len(read)
    if sure and alone is not None:
        certain[len(read) :] = alone
    inside = certain[first] & certain[second] & (apart <= gap)
    parts = components(first[inside], second[inside], len(everything))[:cards]
    found = {groups for groups in beside if len(groups) > 1}
    split = [g for g in set(labels.tolist()) if len(set(parts[labels == g].tolist())) > 1]
    return [list(groups) for groups in sorted(found | {(group,) for group in split})]


def close_groups(outlines: Outlines, labels: Labels, unread: Outlines) -> list[list[int]]:
    """Find groups that are separated or connected by a distance close to the gap or to that of
    another break, cards of one group farther apart than asked, and lone cards too close to others.

    Parameters
    ----------
    outlines : float array, shape (cards, 4, 2)
        Millimetres.
    labels : int array, shape (cards,)
        Group of each card.
    unread : float array, shape (others, 4, 2)
        Outlines of unread cards, which may lie between cards that are far apart, millimetres.

    Returns
    -------
    list of list of int
        As for `bridged_groups`.
    """
    if len(outlines) < 2:
        return []
    first, second, apart = spanning_tree(outlines, LARGEST_GAP_MM)
    across = labels[first] != labels[second]
    widest_inside = apart[~across].max(initial=TIGHT_MM)
    narrowest_across = apart[across].min(initial=LARGEST_GAP_MM + _NARROW_MM)
    least, most = likely_gaps(apart, len(outlines))
    if narrowest_across - widest_inside < _NARROW_MM:
        least = min(least, max(narrowest_across - _NARROW_MM, SMALLEST_GAP_MM))
        most = max(most, widest_inside + _NARROW_MM)
    lone = np.bincount(labels)[labels] == 1
    # if all are, no group shows how close cards of one are
    clear = LEAST_BETWEEN_MM - _ERROR_MM if lone.all() else MOST_INSIDE_MM + _ERROR_MM
    near = across & ((apart < most) | (lone[first] & lone[second] & (apart <= clear)))
    pairs = {
        tuple(sorted((int(labels[a]), int(labels[b]))))
        for a, b in zip(first[near], second[near], strict=True)
    }
    wide = ~across & (apart > least) & (least < most)
    alone = {(int(labels[a]),) for a in first[wide]}
    large = np.bincount(labels)[labels[first]] > _MOST_CARDS
    alone |= {(int(labels[a]),) for a in first[large & ~across & (apart > SMALLEST_GAP_MM)]}
    first, second, apart = spanning_tree(np.concatenate([outlines, unread]), LARGEST_GAP_MM)
    far = (apart > MOST_INSIDE_MM + _ERROR_MM) & (np.maximum(first, second) < len(labels))
    far[far] = labels[first[far]] == labels[second[far]]
    alone |= {(int(labels[a]),) for a in first[far]}
    return [list(groups) for groups in sorted(pairs | alone)]


def _gap(outlines: Outlines, labels: Labels) -> float:
    """The largest distance between neighbouring cards of one group, at least the smallest gap."""
    first, second, apart = spanning_tree(outlines, LARGEST_GAP_MM)
    inside = labels[first] == labels[second]
    return float(max(apart[inside].max(initial=0.0), SMALLEST_GAP_MM))


def _width(outlines: Outlines) -> float:
    """The shorter side of a card."""
    return float(np.linalg.norm(outlines[0, :2] - outlines[0, 1:3], axis=1).min())


def components(first: Labels, second: Labels, count: int) -> Labels:
    """Find the connected component of each of `count` nodes, given the edges."""
    links = coo_array((np.ones(len(first)), (first, second)), (count, count))
    return np.asarray(connected_components(links, directed=False)[1], np.intp)
