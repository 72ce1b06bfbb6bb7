"""Systems judged beside people: both ways a matrix can be meant, and groups by hand."""

from pathlib import Path

import numpy as np
import pytest

from analysis.clusterings.clustering_evaluation import consensus_f, judge, system_rows
from analysis.errors import InputError
from analysis.files.clusterings import SystemClustering
from analysis.groupings.set_agreement import study_set

SORTED = [[0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 1, 2]]
PAIRS = np.array([[1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 1], [0, 0, 1, 1]], dtype=float)


@pytest.fixture(scope="module")
def people():
    return study_set(SORTED)


def _matrix(values):
    return "m", SystemClustering(Path("m.csv"), None, values, 0)


def test_groups_by_hand(people):
    groups = np.array([[1, 0], [1, 0], [0, 1], [0, 1]], dtype=bool)
    (one,) = judge([("g", SystemClustering(Path("g.csv"), groups, None, 0))], people, None)
    # With the third, half of the system's second group is right: P 3/4, R 1, F 6/7.
    np.testing.assert_allclose(one.groups.people.f, [1, 1, 6 / 7])
    assert system_rows([one], 4, 0)[0]["f"] == pytest.approx((2 + 6 / 7) / 3)
    assert consensus_f(people) == pytest.approx((2 + 6 / 7) / 3)


def test_a_distance_is_a_similarity_turned(people):
    (near,) = judge([_matrix(PAIRS)], people, "similarity")
    (far,) = judge([_matrix(1 - PAIRS)], people, "distance")
    assert near.correlation.tau_b == far.correlation.tau_b > 0.8
    assert near.mantel_p == far.mantel_p and near.groups is None


def test_the_direction_of_a_matrix_is_never_guessed(people):
    with pytest.raises(InputError, match="say whether a matrix is a similarity or a distance"):
        judge([_matrix(PAIRS)], people, None)
