"""Systems evaluated against people: both directions of a matrix, and groups by hand."""

from pathlib import Path

import numpy as np
import pytest
from scipy.stats import kendalltau, spearmanr

from analysis.clusterings.clustering_evaluation import (
    consensus_f,
    evaluate_clusterings,
    system_rows,
)
from analysis.errors import InputError
from analysis.files.clusterings import SystemClustering
from analysis.groupings.set_agreement import study_set

SORTED = [[0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 1, 2]]
PAIRS = np.array([[1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 1], [0, 0, 1, 1]], dtype=float)


@pytest.fixture(scope="module")
def people():
    return study_set(SORTED)


def _matrix(values, direction=None):
    return "m", SystemClustering(Path("m.csv"), None, values, 0, direction)


def test_groups_by_hand(people):
    groups = np.array([[1, 0], [1, 0], [0, 1], [0, 1]], dtype=bool)
    (one,) = evaluate_clusterings([("g", SystemClustering(Path("g.csv"), groups, None, 0))], people)
    # With the third participant, half of the system's second group is right: P 3/4, R 1, F 6/7.
    np.testing.assert_allclose(one.groups.people.f, [1, 1, 6 / 7])
    assert system_rows([one], 4)[0]["f"] == pytest.approx((2 + 6 / 7) / 3)
    assert consensus_f(people) == pytest.approx((2 + 6 / 7) / 3)


def test_a_distance_is_a_negated_similarity(people):
    (near,) = evaluate_clusterings([_matrix(PAIRS, "similarity")], people)
    (far,) = evaluate_clusterings([_matrix(1 - PAIRS, "distance")], people)
    assert near.correlation.tau_b == far.correlation.tau_b > 0.8
    assert near.mantel_p == far.mantel_p and near.groups is None


def test_the_direction_of_a_matrix_is_never_guessed(people):
    with pytest.raises(InputError, match="state whether the matrix contains similarities or"):
        evaluate_clusterings([_matrix(PAIRS)], people)


def test_different_parts_weight_pairs_and_sum_the_index():
    groups = np.eye(3, dtype=bool)[[0, 0, 1, 1, 2, 2]]
    parts = [[0, 0, 1, 1, -1, -1], [0, 1, -1, -1, -1, -1], [-1, -1, 0, 0, 0, 1], [0] * 6]
    people = study_set(parts, draws=5)
    (one,) = evaluate_clusterings([("g", SystemClustering(Path("g.csv"), groups, None, 0))], people)
    # Gains 4/3, 0 (both together or apart: one pair), 1/6 and 0; possible 4/3, 1/2, 13/6 and 6.
    (row,) = system_rows([one], 6)
    expected = [(2 - 4 / 6), 0, 1 - 6 / 6, 0], [2 - 4 / 6, 1 / 2, 2.5 - 1, 9 - 3]
    assert row["ari"] == pytest.approx(sum(expected[0]) / sum(expected[1]))
    assert row["pairs_weighted"] and one.correlation.weighted
    upper = np.triu_indices(6, 1)
    pairs = people.both[upper]
    x, y = (np.repeat(side[upper], pairs) for side in (groups @ groups.T * 1.0, people.similarity))
    assert row["similarity_tau_b"] == pytest.approx(kendalltau(x, y).statistic)
    assert row["similarity_spearman"] == pytest.approx(spearmanr(x, y).statistic)
