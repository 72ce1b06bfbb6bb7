"""Average linkage and the order of leaves."""

from itertools import pairwise, permutations

import numpy as np
import pytest

from analysis.errors import InputError
from analysis.groupings.hierarchy import average_linkage, seriate


def test_distances_of_joins_are_means_over_pairs():
    similarity = np.array(
        [[1, 0.9, 0.2, 0.1], [0.9, 1, 0.4, 0.3], [0.2, 0.4, 1, 0.6], [0.1, 0.3, 0.6, 1]]
    )
    tree = average_linkage(similarity)
    np.testing.assert_allclose(tree[:, 2], [0.1, 0.4, 1 - np.mean([0.2, 0.1, 0.4, 0.3])])


def test_the_order_is_optimal_if_the_tree_allows_it():
    line = np.array([3.0, 0.0, 1.1, 2.3, 4.8])
    similarity = 1 - np.abs(line[:, None] - line) / 5
    order = seriate(similarity, average_linkage(similarity))

    def length(order):
        return sum(1 - similarity[i, j] for i, j in pairwise(order))

    assert length(order) == pytest.approx(min(length(o) for o in permutations(range(5))))


def test_the_order_has_every_stimulus_once():
    rng = np.random.default_rng(0)
    similarity = rng.random((30, 30))
    similarity = (similarity + similarity.T) / 2
    order = seriate(similarity, average_linkage(similarity))
    np.testing.assert_array_equal(np.sort(order), np.arange(30))


def test_unknown_similarities_are_replaced_by_the_mean():
    tree = average_linkage([[1, 0.9, np.nan], [0.9, 1, 0.5], [np.nan, 0.5, 1]])
    np.testing.assert_allclose(tree[1, 2], 1 - (0.7 + 0.5) / 2)
    assert (average_linkage(np.where(np.eye(3), 1, np.nan))[:, 2] == 1).all()


@pytest.mark.parametrize("wrong", [[[1.0]], [[1, 0.5]], [1, 0]])
def test_invalid_matrices_are_an_error(wrong):
    with pytest.raises(InputError, match="similarity should be square"):
        average_linkage(wrong)
