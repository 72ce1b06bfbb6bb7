"""Grouping the cards of one table that was photographed in parts.

Photos may disagree on the same cards, since each chooses the gap that separates groups from what it
shows, which may be only the edge of a group. A photo that shows more of the groups then decides, if
the cards are at the same distances in both. It decides that cards are in one group if it shows more
of it, but that they are in several only if it shows all of them, and the table around them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from printables.tabletop.grouping import (
    LARGEST_GAP_MM,
    number_in_reading_order,
    separating_gap,
    spanning_tree,
)
from printables.tabletop.outlines import outline_distances

_UNCERTAIN_MM = 8.0
"""Error, in millimetres, of the distance between two cards that no photo shows together. Chosen
from the errors of joined scenes; no scene was found that fails without it."""

_SAME_MM = 6.0
"""Greatest difference, in millimetres, of the distances between two cards in two photos of the same
table: bent cards and lenses give errors of up to 3 mm in each. Not varied in any measurement."""

Outlines = NDArray[np.float64]
Labels = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Views:
    """What photos show of the cards.

    Attributes
    ----------
    groups : int array, shape (photos, cards)
        Group of each card in each photo; 0 if the photo does not show it.
    outlines : float array, shape (photos, cards, 4, 2)
        In each photo's own millimetres.
    amid : bool array, shape (photos, cards)
        Whether the photo also shows the table around the card, as far as the greatest gap within
        groups.
    """

    groups: Labels
    outlines: NDArray[np.float64]
    amid: NDArray[np.bool_]

    @classmethod
    def none(cls, photos: int, cards: int) -> "Views":
        """Photos that show no card."""
        shape = photos, cards
        return cls(np.zeros(shape, np.intp), np.zeros((*shape, 4, 2)), np.zeros(shape, bool))

    def are_alike(self, one: int, other: int, cards: Labels) -> bool:
        """Whether neighbouring cards are equally far apart in two photos that show them."""
        pairs = (outline_distances(self.outlines[photo, cards]) for photo in (one, other))
        (_, _, here), (_, _, there) = pairs
        near = np.minimum(here, there) <= LARGEST_GAP_MM
        return bool((np.abs(here - there)[near] <= _SAME_MM).all())

    def connects(self, photo: int, cards: Labels) -> bool:
        """Whether cards of one group in a photo are near each other, rather than connected by a
        header card or a card that was not read."""
        return len(spanning_tree(self.outlines[photo, cards], LARGEST_GAP_MM)[0]) == len(cards) - 1


@dataclass(frozen=True)
class Disagreement:
    """Two cards that are in one group in one photo and in two groups in another.

    Attributes
    ----------
    cards : (int, int)
        Indices of the cards.
    photos : tuple of int
        Indices of the photos.
    """

    cards: tuple[int, int]
    photos: tuple[int, ...]


def combine_groupings(
    outlines: Outlines, views: Views, bridges: Outlines
) -> tuple[Labels, list[Disagreement | list[int]]]:
    """Combine the groupings of several photos.

    Cards that a photo shows together are grouped as in that photo; other cards are grouped by their
    distance on the joined table, also across cards that were not read.

    Parameters
    ----------
    outlines : float array, shape (cards, 4, 2)
        On the joined table, millimetres.
    views : Views
    bridges : float array, shape (others, 4, 2)
        Cards that were not read in any photo, millimetres.

    Returns
    -------
    labels : int array, shape (cards,)
        Group of each card, numbered from 1 in reading order.
    doubts : list of Disagreement or list of int
        Cards on which photos disagree, and groups (by number) that are separated or joined by an
        uncertain distance.
    """
    cards, seen = len(outlines), views.groups
    everything = np.concatenate([outlines, bridges])
    gap = separating_gap(spanning_tree(everything, LARGEST_GAP_MM)[2], len(everything))
    first, second, apart = outline_distances(everything, LARGEST_GAP_MM)
    inner = second < cards
    shown = (seen > 0).astype(np.float32)
    in_one_photo = np.asarray(shown.T @ shown > 0)
    together = np.zeros(len(first), bool)
    together[inner] = in_one_photo[first[inner], second[inner]]
    near = apart <= gap
    alone = inner & near & ~together
    bridged = _across_bridges(first[~inner & near], second[~inner & near], in_one_photo)
    pairs = [(first[alone], second[alone]), bridged, *_same_group(seen)]
    a, b = (np.concatenate(ends) for ends in zip(*pairs, strict=True))
    contradictions = _contradictions(seen)
    parts = _connected(a, b, cards)
    for apart_in, inside in _shown_apart(views, parts, contradictions):
        kept = ~inside[a]
        ((c, d),) = _same_group(seen[[apart_in]] * inside)
        a, b = np.concatenate([a[kept], c]), np.concatenate([b[kept], d])
        contradictions = [found for found in contradictions if not inside[found.cards[0]]]
    labels = number_in_reading_order(_connected(a, b, cards), outlines)
    uncertain = ~together & inner & (np.abs(apart - gap) < _UNCERTAIN_MM)
    doubts: list[Disagreement | list[int]] = [*_disagreements(views, parts, contradictions)]
    doubts += _uncertain(labels, first[uncertain], second[uncertain], a, b)
    return labels, doubts


def _across_bridges(
    first: Labels, second: Labels, in_one_photo: NDArray[np.bool_]
) -> tuple[Labels, Labels]:
    """Pairs of cards beside the same bridges that no photo shows together: one that shows both
    knows better whether they are in one group.

    `first` and `second` are near each other: cards, counted from 0, and then the bridges.
    """
    cards, tied = len(in_one_photo), first >= len(in_one_photo)
    bridges = int(second.max(initial=cards)) - cards + 1
    links = coo_array(
        (np.ones(tied.sum()), (first[tied] - cards, second[tied] - cards)), (bridges, bridges)
    )
    bridge = connected_components(links, directed=False)[1]
    beside: dict[int, set[int]] = {}
    for card, other in zip(first[~tied], second[~tied] - cards, strict=True):
        beside.setdefault(int(bridge[other]), set()).add(int(card))
    pairs = {
        pair
        for near in beside.values()
        for pair in combinations(sorted(near), 2)
        if not in_one_photo[pair]
    }
    a, b = np.array(sorted(pairs), np.intp).reshape(-1, 2).T
    return a, b


def _same_group(seen: Labels) -> list[tuple[Labels, Labels]]:
    """Pairs of cards that connect each photo's groups."""
    pairs = []
    for photo in seen:
        order = np.argsort(photo, kind="stable")
        order = order[photo[order] > 0]
        same = photo[order[1:]] == photo[order[:-1]]
        pairs.append((order[:-1][same], order[1:][same]))
    return pairs


@dataclass(frozen=True, eq=False)
class _Contradiction:
    """Cards that are a whole group in one photo, but not in one group in another."""

    together: int
    apart: int
    cards: Labels

    def pair(self, seen: Labels) -> tuple[int, int]:
        """Two of the cards that the other photo shows in two groups."""
        parts = seen[self.apart, self.cards]
        return int(self.cards[0]), int(self.cards[np.flatnonzero(parts != parts[0])[0]])


def _contradictions(seen: Labels) -> list[_Contradiction]:
    """Groups of a photo that are several groups in another that shows the whole group.

    A photo that shows only part of a group is not compared: the cards that connect the group may be
    outside it.
    """
    found = []
    for one, groups in enumerate(seen):
        for group in np.unique(groups[groups > 0]):
            (cards,) = np.nonzero(groups == group)
            for other in range(len(seen)):
                parts = seen[other, cards]
                if other != one and (parts > 0).all() and len(np.unique(parts)) > 1:
                    found.append(_Contradiction(one, other, cards))
    return found


def _shown_apart(
    views: Views, parts: Labels, contradictions: Sequence[_Contradiction]
) -> list[tuple[int, NDArray[np.bool_]]]:
    """Cards that photos together show in one group by mistake: a photo that shows them in several,
    and which cards these are."""
    found = []
    for part in sorted({int(parts[found.cards[0]]) for found in contradictions}):
        inside = parts == part
        shown = (views.groups[:, inside] > 0).all(1)
        amid = np.flatnonzero(shown & views.amid[:, inside].all(1)).tolist()
        alike = {_in_order(groups[inside]) for groups in views.groups[shown]}
        if (
            amid
            and len(alike) == 1
            and all(
                views.connects(one.together, one.cards)
                and views.are_alike(one.together, amid[0], one.cards)
                for one in contradictions
                if inside[one.cards[0]]
            )
        ):
            found.append((amid[0], inside))
    return found


def _disagreements(
    views: Views, parts: Labels, contradictions: Sequence[_Contradiction]
) -> list[Disagreement]:
    """Contradictions between photos that no photo decides."""
    found: dict[tuple[int, int], set[int]] = {}
    for one in contradictions:
        if not _is_shown_together(views, one, parts == parts[one.cards[0]]):
            pair = one.pair(views.groups)
            found.setdefault(pair, set()).update((one.together, one.apart))
    return [Disagreement(pair, tuple(sorted(photos))) for pair, photos in found.items()]


def _is_shown_together(views: Views, one: _Contradiction, inside: NDArray[np.bool_]) -> bool:
    """Whether all photos that show more of a group than the one that contradicts, and all cards of
    it that this one shows, show the cards in one group."""
    shown = (views.groups > 0) & inside
    mine = shown[one.apart]
    fuller = np.flatnonzero((shown >= mine).all(1) & (shown.sum(1) > mine.sum())).tolist()
    return len(fuller) > 0 and all(
        len(np.unique(views.groups[photo, one.cards])) == 1
        and views.are_alike(photo, one.apart, one.cards)
        for photo in fuller
    )


def _in_order(groups: Labels) -> tuple[int, ...]:
    """Groups with the same numbers for the same division: those of the first card of each."""
    first: dict[int, int] = {}
    return tuple(first.setdefault(group, n) for n, group in enumerate(groups.tolist()))


def _connected(first: Labels, second: Labels, cards: int) -> Labels:
    links = coo_array((np.ones(len(first)), (first, second)), (cards, cards))
    return np.asarray(connected_components(links, directed=False)[1], np.intp)


def _uncertain(
    labels: Labels, first: Labels, second: Labels, a: Labels, b: Labels
) -> list[list[int]]:
    """Groups separated by an uncertain distance, and groups connected only by such distances."""
    across = labels[first] != labels[second]
    pairs = {
        tuple(sorted((int(labels[one]), int(labels[other]))))
        for one, other in zip(first[across], second[across], strict=True)
    }
    edges = set(zip(first.tolist(), second.tolist(), strict=True))
    kept = np.array([(one, other) not in edges for one, other in zip(a, b, strict=True)], bool)
    size = int(max([len(labels) - 1, *a.tolist(), *b.tolist()])) + 1
    links = coo_array((np.ones(kept.sum()), (a[kept], b[kept])), (size, size))
    sure = connected_components(links, directed=False)[1][: len(labels)]
    alone = {
        (int(group),) for group in np.unique(labels) if len(np.unique(sure[labels == group])) > 1
    }
    return [list(groups) for groups in sorted(pairs | alone)]
