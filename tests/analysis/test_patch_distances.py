"""Distances of descriptors, against scipy."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from analysis.errors import InputError
from analysis.patch_distances import nearest, paired_distances

SCIPY = {"l1": "cityblock", "l2": "euclidean", "cosine": "cosine"}


def _rows(distance, patches=120, values=9, seed=1):
    rng = np.random.default_rng(seed)
    if distance == "hamming":
        return rng.integers(0, 256, (patches, values), dtype=np.uint8)
    return rng.normal(size=(patches, values))


def _all_distances(rows, distance):
    if distance == "hamming":
        bits = np.unpackbits(rows, axis=1)
        return np.rint(cdist(bits, bits, "hamming") * bits.shape[1])
    return cdist(rows, rows, SCIPY[distance])


@pytest.mark.parametrize("distance", ["l1", "l2", "cosine", "hamming"])
def test_pairs_agree_with_scipy(distance):
    rows = _rows(distance)
    expected = _all_distances(rows, distance)[np.arange(60), np.arange(60, 120)]
    assert paired_distances(rows[:60], rows[60:], distance) == pytest.approx(expected)


@pytest.mark.parametrize("part", [2, 64])
@pytest.mark.parametrize("distance", ["l1", "l2", "cosine", "hamming"])
def test_nearest_agree_with_scipy_and_ties_go_to_the_earlier(distance, part, monkeypatch):
    monkeypatch.setattr("analysis.patch_distances._BLOCK", 500)
    monkeypatch.setattr("analysis.patch_distances._PART", part)
    rows = np.concatenate([_rows(distance)] * 2)  # every patch has a double
    queries = np.array([0, 5, 119, 121, 239])
    exact = np.round(_all_distances(rows, distance), 9)
    exact[np.arange(240), np.arange(240)] = -1
    expected = np.argsort(exact[queries], axis=1, kind="stable")[:, :51]
    found = nearest(rows, queries, 51, distance)
    assert np.array_equal(found[:, 0], queries)
    if distance == "hamming":
        assert np.array_equal(found, expected)
    ours, theirs = (np.take_along_axis(exact[queries], f, 1) for f in (found, expected))
    assert np.allclose(ours, theirs)


@pytest.mark.parametrize("scale", [1e-30, 1e30])
def test_the_scale_of_values_does_not_matter(scale):
    rows = np.random.default_rng(3).normal(size=(80, 5))
    for distance in ("l1", "l2"):
        queries = np.arange(10)
        found = nearest(rows * scale, queries, 60, distance)
        assert np.array_equal(found, nearest(rows, queries, 60, distance))


def test_far_from_the_origin_single_precision_would_fail():
    rows = 1e6 + np.arange(200)[:, None] * 1e-3
    found = nearest(rows, np.array([100]), 5, "l2")[0]
    assert found[0] == 100 and sorted(found.tolist()) == [98, 99, 100, 101, 102]


def test_constant_descriptors_come_in_the_pool_s_order():
    assert nearest(np.ones((9, 2)), np.array([4]), 4, "l2").tolist() == [[4, 0, 1, 2]]


@pytest.mark.parametrize(
    ("rows", "distance", "finding"),
    [
        (np.ones((3, 2)), "chebyshev", "the distance is one of l1, l2, cosine, hamming"),
        (np.ones(3), "l2", "shape"),
        (np.ones((0, 3)), "l2", "shape"),
        (np.array([[1.0, np.nan], [1, 2]]), "l1", "descriptor 0 holds"),
        (np.array([[1.0, 1], [0, 0]]), "cosine", "descriptor 1 is all zeros"),
        (np.array([[0.5], [1]]), "hamming", "packed bits"),
        (np.array([[256], [1]]), "hamming", "packed bits"),
        (np.array([[-1], [1]]), "hamming", "packed bits"),
        (np.ones((3, 2)), "l2", "the pool has 3 patches; 51"),
    ],
)
def test_refusals(rows, distance, finding):
    with pytest.raises(InputError, match=finding):
        nearest(rows, np.array([0]), 51, distance)


def test_whole_numbers_may_stand_for_bytes():
    assert paired_distances([[255.0]], [[0.0]], "hamming").tolist() == [8]
