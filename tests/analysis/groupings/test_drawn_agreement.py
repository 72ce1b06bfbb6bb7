"""BCubed F in many draws together."""

import numpy as np
import pytest

from analysis.groupings import drawn_agreement
from analysis.groupings.chance import shuffled
from analysis.groupings.drawn_agreement import DrawCounter
from analysis.groupings.pair_agreement import bcubed_pairs


def f_of_each_alone(draws):
    upper = np.triu_indices(draws.shape[1], 1)
    return [bcubed_pairs(draw.astype(np.int64)).f[upper] for draw in draws]


def test_f_of_two_draws_by_hand():
    # Groups {a, b}, {c, d} with themselves, and crossed: each group shares one of its two.
    draws = np.array([[[0, 0, 1, 1], [0, 0, 1, 1]], [[0, 0, 1, 1], [0, 1, 0, 1]]])
    assert DrawCounter(draws[0], 2).f(draws).tolist() == [[1.0], [0.5]]


@pytest.mark.parametrize("lowest", [-1, 0])
@pytest.mark.parametrize("draws", [1, 3, 20])
@pytest.mark.parametrize("cells", [1, 1_500, 1 << 19])
def test_draws_counted_together_equal_each_alone(monkeypatch, lowest, draws, cells):
    monkeypatch.setattr(drawn_agreement, "_CELLS_PER_BATCH", cells)
    groups = np.random.default_rng(4).integers(lowest, 6, (11, 30))
    groups[:, :6] = range(6)
    drawn = shuffled(groups, draws, np.random.default_rng(5))
    found = DrawCounter(groups, draws).f(drawn)
    np.testing.assert_allclose(found, f_of_each_alone(drawn), rtol=1e-13)


@pytest.mark.parametrize("size", [15, 16, 255, 256, 70_000])
def test_counts_do_not_overflow_if_groups_are_large(size):
    groups = np.repeat([[0, 1]], [size, 3], axis=1).repeat(2, axis=0)
    drawn = shuffled(groups, 2, np.random.default_rng(0))
    np.testing.assert_allclose(DrawCounter(groups, 2).f(drawn), f_of_each_alone(drawn), rtol=1e-13)


def test_tables_with_many_more_cells_than_stimuli():
    groups = np.arange(80).reshape(2, 40) % 40
    drawn = shuffled(groups, 3, np.random.default_rng(0))
    np.testing.assert_allclose(DrawCounter(groups, 3).f(drawn), f_of_each_alone(drawn), rtol=1e-13)


def test_pairs_with_one_stimulus_in_common_are_undefined():
    groups = np.array([[0, 0, 1, -1], [-1, -1, 0, 0]])
    assert np.isnan(DrawCounter(groups, 2).f(np.array([groups, groups]))).all()


def test_participants_who_placed_nothing_have_no_f():
    groups = np.full((3, 5), -1)
    assert np.isnan(DrawCounter(groups, 2).f(np.array([groups, groups]))).all()
