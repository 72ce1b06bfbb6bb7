"""tau_b and Spearman: by hand, by properties, and checked against scipy."""

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from analysis import spearman, tau_b
from analysis.errors import InputError
from analysis.statistics.rank_correlation import order_ranks

ROWS = st.integers(2, 12).flatmap(
    lambda n: st.tuples(*[st.lists(st.integers(-3, 3), min_size=n, max_size=n) for _ in "xy"])
)


def test_by_hand_one_tie():
    assert tau_b([1, 2, 3], [1, 1, 2]) == pytest.approx(2 / np.sqrt(6))


def test_by_hand_discordant_and_ties_on_both_sides():
    # pairs: 01 C, 02 C, 03 D, 12 tied in x, 13 D, 23 D; so C=2 D=3 T_x=1
    assert tau_b([1, 2, 2, 0], [1, 2, 3, 4]) == pytest.approx(-1 / np.sqrt(5 * 6))


def test_float_noise_in_means_does_not_create_an_order():
    assert tau_b([0.1 + 0.2, 0.3, 0.5], [1, 1, 2]) == 1.0
    noisy = scipy.stats.kendalltau([0.1 + 0.2, 0.3, 0.5], [1, 1, 2]).statistic
    assert noisy == pytest.approx(0.816, abs=1e-3)


def test_means_of_integer_scores_are_distinguished_with_any_number_of_people():
    people = 10_000
    assert order_ranks([3 + 1 / people, 3.0, 3 - 1 / people]).tolist() == [2, 1, 0]


@given(ROWS)
def test_agrees_with_scipy(rows):
    x, y = rows
    ours, theirs = tau_b(x, y), scipy.stats.kendalltau(x, y).statistic
    assert ours == pytest.approx(theirs, abs=1e-12, nan_ok=True)


@given(ROWS)
def test_symmetric_and_odd(rows):
    x, y = (np.array(side) for side in rows)
    forward = tau_b(x, y)
    assert tau_b(y, x) == pytest.approx(forward, nan_ok=True)
    assert tau_b(-x, y) == pytest.approx(-forward, nan_ok=True)


@given(ROWS, st.randoms())
def test_order_of_candidates_has_no_effect(rows, random):
    order = list(range(len(rows[0])))
    random.shuffle(order)
    x, y = (np.array(side) for side in rows)
    assert tau_b(x[order], y[order]) == pytest.approx(tau_b(x, y), nan_ok=True)


def test_a_batch_equals_its_rows():
    rng = np.random.default_rng(1)
    x, y = rng.integers(0, 6, (5, 7, 11)), rng.integers(0, 6, (7, 11))
    batch = tau_b(x, y)
    assert batch.shape == (5, 7)
    assert batch[3, 2] == pytest.approx(scipy.stats.kendalltau(x[3, 2], y[2]).statistic)


def test_a_batch_in_parts_equals_the_whole(monkeypatch):
    rng = np.random.default_rng(2)
    x, y, keep = rng.random((6, 3, 9)), rng.random((3, 9)), rng.random((3, 9)) < 0.8
    whole = tau_b(x, y, where=keep)
    monkeypatch.setattr("analysis.statistics.rank_correlation._PAIRS_PER_BATCH", 100)
    assert np.array_equal(tau_b(x, y, where=keep), whole)


def test_where_leaves_candidates_out():
    keep = np.array([True, False, True, True])
    with_nan = np.array([1.0, np.nan, 2.0, 3.0])
    assert tau_b(with_nan, [5, 9, 7, 6], where=keep) == pytest.approx(tau_b([1, 2, 3], [5, 7, 6]))


def test_long_rows_agree_with_short_ones(monkeypatch):
    rng = np.random.default_rng(3)
    x, y = rng.integers(0, 9, (2, 300)), rng.integers(0, 9, 300)
    keep = rng.random(300) < 0.7
    short = tau_b(x, y), tau_b(x, y, where=keep)
    monkeypatch.setattr("analysis.statistics.rank_correlation._MANY_CANDIDATES", 10)
    assert tau_b(x, y) == pytest.approx(short[0])
    assert tau_b(x, y, where=keep) == pytest.approx(short[1])


def test_infinite_scores_are_ordered():
    assert tau_b([-np.inf, 0, np.inf, np.inf], [1, 2, 3, 3]) == 1.0


@pytest.mark.parametrize(("x", "y"), [([1, 1, 1], [1, 2, 3]), ([1], [2]), ([2, 2], [2, 2])])
def test_a_constant_side_is_undefined(x, y):
    assert np.isnan(tau_b(x, y))
    assert np.isnan(spearman(x, y))


@pytest.mark.parametrize(
    ("x", "y", "finding"),
    [
        ([], [], "no candidates"),
        ([1, 2], [1, 2, 3], "same candidates"),
        (1, 2, "same candidates"),
        ([1, np.nan], [1, 2], r"first side has a NaN at \(1,\)"),
        (np.ones((2, 3)), np.ones((4, 3)), "do not broadcast"),
    ],
)
@pytest.mark.parametrize("measure", [tau_b, spearman])
def test_refusals(measure, x, y, finding):
    with pytest.raises(InputError, match=finding):
        measure(x, y)


@given(ROWS)
def test_spearman_agrees_with_scipy(rows):
    x, y = rows
    if len(set(x)) > 1 and len(set(y)) > 1:
        assert spearman(x, y) == pytest.approx(scipy.stats.spearmanr(x, y).statistic, abs=1e-12)
