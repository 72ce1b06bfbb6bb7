"""Nearest patches in a pool, checked against scipy and a sort of all exact distances."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.errors import InputError
from analysis.patches import search
from analysis.patches.distances import DISTANCES, paired_distances
from analysis.patches.search import nearest
from tests.analysis.patches.by_scipy import all_distances, rows_for


def _sorted_pool(rows, queries, count, distance):
    """Exact distances, with a stable sort for each query."""
    rows, found = np.asarray(rows), []
    for query in queries:
        exact = paired_distances(np.repeat(rows[[query]], len(rows), axis=0), rows, distance)
        exact = np.round(exact, 9) if distance == "cosine" else exact
        exact[query] = -np.inf
        found.append(np.argsort(exact, kind="stable")[:count])
    return np.array(found)


@pytest.fixture(params=["as it is", "in small pieces", "resolved early"])
def pieces(request, monkeypatch):
    """Batch sizes, which must not affect results."""
    if request.param == "as it is":
        return
    monkeypatch.setattr(search, "_BLOCK", dict.fromkeys(DISTANCES, 37))
    monkeypatch.setattr(search, "_PART", 2)
    monkeypatch.setattr(search, "_QUERIES_PER_BATCH", 3)
    monkeypatch.setattr(search, "_IN_CACHE", 2)
    if request.param == "resolved early":
        monkeypatch.setattr(search, "_MAX_CANDIDATES", 1)


@pytest.mark.usefixtures("pieces")
@pytest.mark.parametrize("distance", DISTANCES)
def test_agrees_with_scipy(distance):
    rows = rows_for(distance)
    exact = all_distances(rows, distance)
    exact[np.arange(120), np.arange(120)] = -1
    queries = np.array([0, 5, 60, 61, 62, 118, 119])
    expected = np.argsort(np.round(exact, 9)[queries], axis=1, kind="stable")[:, :51]
    assert np.array_equal(nearest(rows, queries, 51, distance), expected)


@pytest.mark.usefixtures("pieces")
@pytest.mark.parametrize("distance", DISTANCES)
@pytest.mark.parametrize("count", [1, 2, 51, 240])
def test_ties_are_in_row_order(distance, count):
    rows = np.concatenate([rows_for(distance)] * 2)  # every patch has a duplicate
    queries = np.array([0, 5, 119, 121, 239])
    found = nearest(rows, queries, count, distance)
    assert np.array_equal(found, _sorted_pool(rows, queries, count, distance))
    assert np.array_equal(found[:, 0], queries)
    if count > 1:
        assert np.array_equal(found[:, 1], (queries + 120) % 240)


@pytest.mark.usefixtures("pieces")
@pytest.mark.parametrize("distance", DISTANCES)
@pytest.mark.parametrize("nearest_last", [False, True])
def test_the_order_of_the_pool_has_no_effect(distance, nearest_last):
    # The bound for the nearest becomes tight late, or immediately.
    rows = np.sort(np.random.default_rng(8).integers(1, 200, (400, 2)), axis=0).astype(np.uint8)
    rows = rows if nearest_last else rows[::-1]
    queries = np.array([399, 0, 200])
    found = nearest(rows, queries, 51, distance)
    assert np.array_equal(found, _sorted_pool(rows, queries, 51, distance))


@given(st.data(), st.sampled_from(DISTANCES))
@settings(max_examples=60, deadline=None)
def test_results_equal_the_sorted_pool_of_distances(data, distance):
    shape = data.draw(st.tuples(st.integers(1, 40), st.integers(1, 11)))
    cells = st.lists(st.integers(1, 4), min_size=shape[0] * shape[1], max_size=shape[0] * shape[1])
    rows = np.array(data.draw(cells)).reshape(shape)
    count = data.draw(st.integers(1, shape[0]))
    queries = np.array(data.draw(st.lists(st.integers(0, shape[0] - 1), min_size=1, max_size=9)))
    found = nearest(rows, queries, count, distance)
    assert np.array_equal(found, _sorted_pool(rows, queries, count, distance))


@pytest.mark.usefixtures("pieces")
def test_patches_with_the_same_direction_are_equally_near_whatever_their_length():
    rng = np.random.default_rng(6)
    directions = rng.random((4, 16))
    rows = (directions[:, None] * rng.uniform(0.1, 900, (25, 1))).reshape(100, 16)
    rows = rows[rng.permutation(100)]
    queries = np.arange(0, 100, 7)
    raw = paired_distances(np.repeat(rows[[0]], 100, axis=0), rows, "cosine")
    assert 0 < np.sort(np.diff(np.unique(raw)))[0] < 1e-12, "rounding tells equal ones apart"
    found = nearest(rows, queries, 60, "cosine")
    assert np.array_equal(found, _sorted_pool(rows, queries, 60, "cosine"))


@pytest.mark.parametrize("scale", [1e-30, 1e30])
def test_the_scale_of_values_does_not_matter(scale):
    rows = np.random.default_rng(3).normal(size=(80, 5))
    for distance in ("l1", "l2", "cosine"):
        queries = np.arange(10)
        found = nearest(rows * scale, queries, 60, distance)
        assert np.array_equal(found, nearest(rows, queries, 60, distance))


def test_far_from_the_origin_single_precision_would_fail():
    rows = 1e6 + np.arange(200)[:, None] * 1e-3
    for distance in ("l1", "l2"):
        found = nearest(rows, np.array([100]), 5, distance)[0]
        assert found[0] == 100 and sorted(found.tolist()) == [98, 99, 100, 101, 102]


@pytest.mark.usefixtures("pieces")
@pytest.mark.parametrize("distance", DISTANCES)
def test_constant_descriptors_are_in_the_order_of_the_pool(distance):
    found = nearest(np.ones((90, 2)), np.array([4, 80]), 4, distance)
    assert found.tolist() == [[4, 0, 1, 2], [80, 0, 1, 2]]


def test_a_pool_with_too_few_patches_is_an_error():
    with pytest.raises(InputError, match="the pool has only 3 patches, but 51 should be found"):
        nearest(np.ones((3, 2)), np.array([0]), 51, "l2")
