"""Distances of descriptors, checked against scipy."""

import numpy as np
import pytest

from analysis.errors import InputError
from analysis.patches.distances import DISTANCES, distances_of_rows, paired_distances
from tests.analysis.patches.by_scipy import all_distances, rows_for


@pytest.mark.parametrize("distance", ["l1", "l2", "cosine", "hamming"])
def test_pairs_agree_with_scipy(distance):
    rows = rows_for(distance)
    expected = all_distances(rows, distance)[np.arange(60), np.arange(60, 120)]
    assert paired_distances(rows[:60], rows[60:], distance) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("rows", "distance", "finding"),
    [
        (np.ones((3, 2)), "chebyshev", "distance should be one of l1, l2, cosine, hamming"),
        (np.ones(3), "l2", "shape"),
        (np.ones((0, 3)), "l2", "shape"),
        (np.array([[1.0, np.nan], [1, 2]]), "l1", "descriptor 0 contains"),
        (np.array([[1.0, 1], [0, 0]]), "cosine", "descriptor 1 is all zeros"),
        (np.array([[0.5], [1]]), "hamming", "packed bits"),
        (np.array([[256], [1]]), "hamming", "packed bits"),
        (np.array([[-1], [1]]), "hamming", "packed bits"),
    ],
)
def test_refusals(rows, distance, finding):
    with pytest.raises(InputError, match=finding):
        paired_distances(rows, rows, distance)


@pytest.mark.parametrize("distance", DISTANCES)
def test_distances_in_batches_equal_all_distances(distance, monkeypatch):
    rows = rows_for(distance)
    first, second = np.random.default_rng(2).integers(0, len(rows), (2, 500))
    at_once = distances_of_rows(rows, first, second, distance)
    monkeypatch.setattr("analysis.patches.distances._VALUES_PER_BATCH", 30)
    assert np.array_equal(distances_of_rows(rows, first, second, distance), at_once)
    assert np.array_equal(paired_distances(rows[first], rows[second], distance), at_once)
    assert distances_of_rows(rows, first[:0], second[:0], distance).size == 0


@pytest.mark.parametrize("scale", [1e-200, 1e99])
def test_cosine_does_not_depend_on_length(scale):
    rows = rows_for("cosine")
    found = paired_distances(rows[:60] * scale, rows[60:], "cosine")
    assert found == pytest.approx(paired_distances(rows[:60], rows[60:], "cosine"))


def test_integers_can_be_bytes():
    assert paired_distances([[255.0]], [[0.0]], "hamming").tolist() == [8]
