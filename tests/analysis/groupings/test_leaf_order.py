"""Leaf orders: checked against all orders that a tree allows, and against scipy's."""

import numpy as np
import pytest
from scipy.cluster.hierarchy import leaves_list, optimal_leaf_ordering
from scipy.spatial.distance import squareform

from analysis.groupings import leaf_order
from analysis.groupings.hierarchy import average_linkage, seriate
from analysis.groupings.leaf_order import best_order


def every_order(tree, node):
    """All orders of a node's leaves that do not cross its branches."""
    leaves = len(tree) + 1
    if node < leaves:
        return [[node]]
    one, other = (every_order(tree, int(side)) for side in tree[node - leaves, :2])
    pairs = [(a, b) for a in one for b in other]
    return [order for a, b in pairs for order in (a + b, b + a)]


def total(distances, order):
    return distances[order[:-1], order[1:]].sum()


def random_distances(leaves, seed):
    return squareform(np.random.default_rng(seed).random(leaves * (leaves - 1) // 2))


@pytest.mark.parametrize("seed", range(24))
def test_no_order_allowed_by_the_tree_is_shorter(seed):
    distances = random_distances(4 + seed % 6, seed)
    tree = average_linkage(1 - distances)
    found = seriate(1 - distances, tree)
    orders = every_order(tree, 2 * len(tree))
    assert found.tolist() in orders
    least = min(total(distances, np.array(order)) for order in orders)
    assert total(distances, found) == pytest.approx(least, abs=1e-12)


def test_the_order_is_never_longer_than_scipys():
    longer = 0
    for seed in range(10):
        distances = random_distances(30, seed)
        tree = average_linkage(1 - distances)
        theirs = leaves_list(optimal_leaf_ordering(tree, squareform(distances)))
        ours = total(distances, best_order(tree, distances))
        assert ours <= total(distances, theirs) + 1e-12
        longer += total(distances, theirs) > ours + 1e-12
    assert longer


@pytest.mark.parametrize("limits", [(1, 1 << 15), (1, 8), (1, 1 << 15, 0), (1, 8, 0)])
def test_large_joins_in_parts_give_the_same_result(monkeypatch, limits):
    rng = np.random.default_rng(3)
    one, other = rng.random((9, 7)), rng.random((7, 11))
    expected = (one[:, :, None] + other).min(axis=1)
    for name, value in zip(("_SMALL_PRODUCT", "_IN_CACHE", "_NARROW"), limits, strict=False):
        monkeypatch.setattr(leaf_order, name, value)
    for rows, columns in ((9, 11), (2, 11), (9, 2)):
        found = leaf_order._least_sums(one[:rows], other[:, :columns])
        np.testing.assert_array_equal(found, expected[:rows, :columns])


def test_two_leaves_and_a_chain():
    assert best_order(np.array([[0, 1, 1.0, 2]]), np.ones((2, 2))).tolist() == [0, 1]
    place = np.random.default_rng(4).permutation(40)
    distances = np.abs(place[:, None] - place) / 40
    found = seriate(1 - distances, average_linkage(1 - distances))
    assert total(distances, found) == pytest.approx(39 / 40)


def test_the_lower_end_of_the_order_comes_first():
    for seed in range(5):
        distances = random_distances(8, seed)
        order = seriate(1 - distances, average_linkage(1 - distances))
        assert order[0] < order[-1]
