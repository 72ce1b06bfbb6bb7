"""Grouping the cards of one table that was photographed in parts."""

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

Outlines = NDArray[np.float64]
Labels = NDArray[np.intp]


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
    outlines: Outlines, seen: Labels, bridges: Outlines
) -> tuple[Labels, list[Disagreement | list[int]]]:
    """Combine the groupings of several photos.

    Cards that a photo shows together are grouped as in that photo; other cards are grouped by their
    distance on the joined table, also across cards that were not read.

    Parameters
    ----------
    outlines : float array, shape (cards, 4, 2)
        On the joined table, millimetres.
    seen : int array, shape (photos, cards)
        Group of each card in each photo; 0 if the photo does not show it.
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
    cards = len(outlines)
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
    links = coo_array((np.ones(len(a)), (a, b)), (cards, cards))
    parts = connected_components(links, directed=False)[1]
    labels = number_in_reading_order(np.asarray(parts, np.intp), outlines)
    uncertain = ~together & inner & (np.abs(apart - gap) < _UNCERTAIN_MM)
    doubts: list[Disagreement | list[int]] = [*_disagreements(seen)]
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
    pairs = [(np.zeros(0, np.intp),) * 2]
    for photo in seen:
        order = np.argsort(photo, kind="stable")
        order = order[photo[order] > 0]
        same = photo[order[1:]] == photo[order[:-1]]
        pairs.append((order[:-1][same], order[1:][same]))
    return pairs


def _disagreements(seen: Labels) -> list[Disagreement]:
    """Pairs in one group of a photo but in two groups of another that shows the whole group.

    A photo that shows only part of a group is not compared: the cards that connect the group may be
    outside it.
    """
    found: dict[tuple[int, int], set[int]] = {}
    for one, groups in enumerate(seen):
        for group in np.unique(groups[groups > 0]):
            (cards,) = np.nonzero(groups == group)
            for other in range(len(seen)):
                parts = seen[other, cards]
                if other != one and (parts > 0).all() and len(np.unique(parts)) > 1:
                    apart = cards[np.flatnonzero(parts != parts[0])[0]]
                    pair = (int(cards[0]), int(apart))
                    found.setdefault(pair, set()).update((one, other))
    return [Disagreement(pair, tuple(sorted(photos))) for pair, photos in found.items()]


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
