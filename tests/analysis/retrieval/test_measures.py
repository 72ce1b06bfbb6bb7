"""Retrieval measures: by hand from the sources, and by properties."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis import average_precision, e_measure, first_tier, nearest_neighbour, second_tier
from analysis.errors import InputError

# Ten results, relevant at ranks 1, 3, 6 and 8; C = 5, one of them not retrieved.
LIST = [1, 0, 1, 0, 0, 1, 0, 1, 0, 0]
C = 5
LISTS = st.lists(st.integers(0, 1), min_size=1, max_size=40)


def test_by_hand():
    assert nearest_neighbour(LIST) == 1
    assert first_tier(LIST, C) == pytest.approx(2 / 5)
    assert second_tier(LIST, C) == pytest.approx(4 / 5)
    assert e_measure(LIST, C) == pytest.approx(2 * (4 / 10) * (4 / 5) / (4 / 10 + 4 / 5))
    assert average_precision(LIST, C) == pytest.approx((1 + 2 / 3 + 3 / 6 + 4 / 8 + 0) / 5)


def test_e_uses_32_results():
    gains = np.zeros(50)
    gains[[0, 31, 32, 49]] = 1
    # two hits in 32: P = 2/32, R = 2/4
    assert e_measure(gains, 4) == pytest.approx(2 * (2 / 32) * (2 / 4) / (2 / 32 + 2 / 4))


def test_e_of_a_padded_list_uses_its_own_length():
    assert e_measure([1, 0, 0, 0, 0], 1, results=2) == e_measure([1, 0], 1)


def test_queries_in_the_collection_reduce_the_class_of_twenty_by_one():
    # SHREC's page has classes of 20 that include the query, so K = 19 replaces C.
    gains = np.zeros(100)
    gains[:19] = 1
    assert first_tier(gains, 19) == second_tier(gains, 19) == average_precision(gains, 19) == 1


@given(LISTS)
def test_perfect_list_is_one(gains):
    hits = sum(gains)
    best = sorted(gains, reverse=True)
    if hits:
        for measure in (first_tier, second_tier, average_precision):
            assert measure(best, hits) == pytest.approx(1)


@given(LISTS, st.integers(0, 5))
def test_ranges_and_order_of_the_tiers(gains, missing):
    size = sum(gains) + missing
    if size:
        ft, st_, ap = (m(gains, size) for m in (first_tier, second_tier, average_precision))
        assert 0 <= ft <= st_ <= 1
        assert 0 <= ap <= 1


@given(LISTS, st.integers(1, 5))
def test_padding_with_zeros_changes_nothing(gains, zeros):
    size = sum(gains) + 1
    longer = gains + [0] * zeros
    for measure in (first_tier, second_tier, average_precision):
        assert measure(longer, size) == pytest.approx(measure(gains, size))


def test_a_batch_equals_its_lists():
    rng = np.random.default_rng(1)
    gains = (rng.random((4, 6, 20)) < 0.3).astype(int)
    size = gains.sum(-1) + 2
    for measure in (first_tier, second_tier, e_measure, average_precision):
        assert measure(gains, size)[2, 3] == measure(gains[2, 3], size[2, 3])


def test_a_list_shorter_than_its_class():
    assert first_tier([1, 1], 4) == 0.5
    assert second_tier([1], 3) == pytest.approx(1 / 3)


def test_a_target_retrieved_twice_is_an_error():
    with pytest.raises(InputError, match="has 3 relevant results, but its query has only 2"):
        average_precision([1, 1, 1], 2)


@pytest.mark.parametrize("system", ["hog", "pixel", "random"])
def test_nearest_neighbour_of_real_scores(shared_data, system):
    folder = shared_data / "runs" / "sketch_to_object"
    reference = pl.read_csv(folder / "reference_metrics.csv").filter(pl.col("system") == system)
    table = pl.read_csv(folder / f"scores_{system}.csv")
    objects = np.array(table.columns[3:])
    scores = table.select(objects.tolist()).to_numpy()
    ranked = np.take_along_axis(
        objects == table["target"].to_numpy()[:, None], np.argsort(-scores, axis=1), axis=1
    )
    assert nearest_neighbour(ranked).mean() == pytest.approx(reference["top1_target"][0], abs=5e-5)
    assert first_tier(ranked, np.ones(len(ranked), dtype=int)).mean() == pytest.approx(
        nearest_neighbour(ranked).mean()
    )
