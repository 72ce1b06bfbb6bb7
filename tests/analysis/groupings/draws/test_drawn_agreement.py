"""Sums of BCubed F in many draws together."""

import numpy as np
import pytest

from analysis.groupings.draws import drawn_agreement
from analysis.groupings.draws.drawn_agreement import UNIT, DrawCounter, ExactSum
from analysis.groupings.draws.random_orders import shuffled
from analysis.groupings.pair_agreement import bcubed_pairs


def draws_of(groups, draws, seed):
    rng = np.random.default_rng(seed)
    return np.stack([shuffled(grouping, draws, rng) for grouping in groups], axis=1)


def sums_of_each_alone(draws, known=0):
    f = np.array([bcubed_pairs(draw.astype(np.int64)).f for draw in draws])
    f[:, :known, :known] = 0
    return np.nansum(np.triu(f, 1), axis=(1, 2))


def sums(groups, draws, known=0):
    return np.array(DrawCounter(groups, len(draws), known).sums(draws)) * UNIT


def test_f_of_two_draws_by_hand():
    # Groups {a, b}, {c, d} with themselves, and crossed: each group shares one of its two.
    draws = np.array([[[0, 0, 1, 1], [0, 0, 1, 1]], [[0, 0, 1, 1], [0, 1, 0, 1]]])
    assert sums(draws[0], draws).tolist() == [1.0, 0.5]


@pytest.mark.parametrize("lowest", [-1, 0])
@pytest.mark.parametrize("draws", [1, 3, 20])
@pytest.mark.parametrize("cells", [1, 1_500, 1 << 19])
@pytest.mark.parametrize("known", [0, 1, 7])
def test_draws_counted_together_equal_each_alone(monkeypatch, lowest, draws, cells, known):
    monkeypatch.setattr(drawn_agreement, "_CELLS_PER_BATCH", cells)
    groups = np.random.default_rng(4).integers(lowest, 6, (11, 30))
    groups[:, :6] = range(6)
    drawn = draws_of(groups, draws, 5)
    expected = sums_of_each_alone(drawn, known)
    np.testing.assert_allclose(sums(groups, drawn, known), expected, rtol=1e-13)


@pytest.mark.parametrize("size", [15, 16, 255, 256, 70_000])
def test_counts_do_not_overflow_if_groups_are_large(size):
    groups = np.repeat([[0, 1]], [size, 3], axis=1).repeat(2, axis=0)
    drawn = draws_of(groups, 2, 0)
    np.testing.assert_allclose(sums(groups, drawn), sums_of_each_alone(drawn), rtol=1e-13)


@pytest.mark.parametrize("known", [0, 1, 2, 3])
@pytest.mark.parametrize("lowest", [-1, 0])
def test_tables_with_many_more_cells_than_stimuli(known, lowest):
    narrow = np.random.default_rng(1).integers(lowest, 3, (2, 40))
    groups = np.concatenate([np.arange(80).reshape(2, 40) % 40, narrow])
    drawn = draws_of(groups, 3, 0)
    expected = sums_of_each_alone(drawn, known)
    np.testing.assert_allclose(sums(groups, drawn, known), expected, rtol=1e-13)


def test_pairs_with_one_stimulus_in_common_count_as_0():
    groups = np.array([[0, 0, 1, -1], [-1, -1, 0, 0]])
    assert sums(groups, np.array([groups, groups])).tolist() == [0, 0]
    groups = np.full((2, 60), -1)
    groups[0, :50], groups[1, 49:] = np.arange(50), 0
    assert sums(groups, np.array([groups, groups])).tolist() == [0, 0]


def test_participants_who_placed_nothing_count_as_0():
    groups = np.full((3, 5), -1)
    assert sums(groups, np.array([groups, groups])).tolist() == [0, 0]


def test_sums_do_not_depend_on_the_order_of_addition():
    f = np.random.default_rng(0).random((5_000, 3))
    one, other = ExactSum(3), ExactSum(3)
    one.add(f)
    for part in np.split(f[::-1], 10):
        other.add(part)
    assert one.values() == other.values()
    np.testing.assert_allclose(np.array(one.values()) * UNIT, f.sum(axis=0), rtol=1e-12)
