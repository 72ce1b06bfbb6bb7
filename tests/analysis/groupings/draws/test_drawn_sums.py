"""Chance agreement that is updated: the same as computed together, bit by bit."""

import os

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.groupings.draws import drawn_sums as module
from analysis.groupings.draws.drawn_sums import drawn_sums
from analysis.groupings.draws.random_orders import block_of_orders, in_order_of_stimuli, keys_of
from analysis.groupings.pair_agreement import bcubed_pairs
from tests.analysis.groupings.strategies import groupings


@given(groupings(), st.data())
def test_an_updated_result_is_that_of_all_together_in_any_order(array, data):
    people = st.lists(st.integers(0, len(array) - 1), min_size=1, max_size=8)
    before, after = array[data.draw(people)], array[data.draw(people)]
    updated = drawn_sums(after, 70, 3, drawn_sums(before, 70, 3))
    together = drawn_sums(after[::-1], 70, 3)
    assert (updated.sums, updated.pairs) == (together.sums, together.pairs)


@pytest.mark.parametrize("lowest", [-1, 0])
@pytest.mark.parametrize("widest", [5, 200])
def test_adding_and_removing_count_only_pairs_of_changed_participants(monkeypatch, lowest, widest):
    rng = np.random.default_rng(1)
    array = rng.integers(lowest, 6, (21, 200))
    # One with so many groups that tables would be nearly all zeros, and one who placed nothing.
    array[5], array[11] = np.arange(200) % widest, lowest
    before = drawn_sums(array[1:], 100, 2)
    counted = []
    counter = module.DrawCounter
    monkeypatch.setattr(
        module, "DrawCounter", lambda *of: counted.append((len(of[0]), of[2])) or counter(*of)
    )
    monkeypatch.setattr(module.os, "cpu_count", lambda: 1)
    after = drawn_sums(array[:-1], 100, 2, before)
    assert counted == [(20, 19), (20, 19)]
    assert after.sums == drawn_sums(array[:-1], 100, 2).sums


def test_sums_are_those_of_each_draw_alone():
    array = in_order_of_stimuli(np.random.default_rng(4).integers(-1, 4, (7, 30)))
    orders = block_of_orders(array, keys_of(array), 5, 0).astype(np.int64)
    each = [np.nansum(np.triu(bcubed_pairs(draw).f, 1)) for draw in orders[:9]]
    found = drawn_sums(array, 9, 5)
    assert found.pairs == 21
    np.testing.assert_allclose(found.mean_f * found.pairs, each, rtol=1e-13)


def test_another_seed_number_of_draws_or_set_is_computed_anew():
    array = np.random.default_rng(4).integers(0, 4, (6, 30))
    before = drawn_sums(array, 20, 5)
    for groups, draws, seed in ((array, 20, 6), (array, 21, 5), (array[:, :-1], 20, 5)):
        found = drawn_sums(groups, draws, seed, before)
        assert found.sums == drawn_sums(groups, draws, seed).sums


def test_the_number_of_processors_has_no_effect(monkeypatch):
    monkeypatch.setattr(module, "_MIN_ENTRIES_PER_WORKER", 1)
    array = np.random.default_rng(0).integers(-1, 3, (4, 12))
    found = []
    for processors in (1, 3, None):
        monkeypatch.setattr(os, "cpu_count", lambda processors=processors: processors)
        found.append(drawn_sums(array, 200, 1).sums)
    assert found[0] == found[1] == found[2]


def test_progress_is_reported_up_to_the_last_draw():
    reports = []
    found = drawn_sums(
        [[0, 0, 1, 1], [0, 1, 1, 0]], 150, 1, progress=lambda *report: reports.append(report)
    )
    assert reports == [(64, 150), (128, 150), (150, 150)]
    assert len(found.mean_f) == 150
