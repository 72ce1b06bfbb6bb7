"""Krippendorff's alpha."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from analysis.errors import InputError
from analysis.ratings import krippendorff as module
from analysis.ratings.krippendorff import LEVELS, krippendorff_alpha

NAN = np.nan
# Four observers, twelve units, missing values: Krippendorff 2011, example C and following.
EXAMPLE = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, NAN, NAN, NAN],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NAN, 3],
        [NAN, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NAN],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NAN],
    ]
)
SCORES = st.tuples(st.integers(1, 4), st.integers(1, 5)).flatmap(
    lambda shape: arrays(float, shape, elements=st.sampled_from([0, 1, 2, 3.5, NAN]))
)


@pytest.mark.parametrize(
    ("level", "alpha"),
    [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849), ("ratio", 0.797)],
)
def test_the_published_example(level, alpha):
    assert krippendorff_alpha(EXAMPLE, level) == pytest.approx(alpha, abs=5e-4)


def pair_by_pair(scores, level):
    """Alpha from its definition: all pairs of scores of a unit, and all pairs of scores."""
    units = [column[~np.isnan(column)] for column in scores.T]
    units = [unit for unit in units if len(unit) > 1]
    everything = np.concatenate(units) if units else np.array([])
    n = len(everything)

    def disagreement(c, k):
        if level == "nominal":
            return float(c != k)
        if level == "ordinal":
            low, high = min(c, k), max(c, k)
            between = ((everything >= low) & (everything <= high)).sum()
            ends = ((everything == low).sum() + (everything == high).sum()) / 2
            return float(between - ends) ** 2 if c != k else 0.0
        if level == "interval":
            return (c - k) ** 2
        return ((c - k) / (c + k)) ** 2 if c + k else 0.0

    observed = sum(
        disagreement(c, k) / (len(unit) - 1)
        for unit in units
        for i, c in enumerate(unit)
        for j, k in enumerate(unit)
        if i != j
    )
    expected = sum(disagreement(c, k) for c in everything for k in everything) / max(n - 1, 1)
    return 1 - observed / expected if expected > 0 else np.nan


@pytest.mark.parametrize("level", LEVELS)
@given(SCORES)
def test_the_definition_pair_by_pair_agrees(level, scores):
    expected = pair_by_pair(scores, level)
    assert krippendorff_alpha(scores, level) == pytest.approx(expected, nan_ok=True)


@pytest.mark.parametrize("level", LEVELS)
def test_order_of_participants_and_units_has_no_effect(level):
    turned = EXAMPLE[::-1, ::-1]
    assert krippendorff_alpha(turned, level) == pytest.approx(krippendorff_alpha(EXAMPLE, level))


def test_interval_is_invariant_to_shift_and_scale_and_ordinal_to_monotone_changes():
    assert krippendorff_alpha(3 * EXAMPLE + 5, "interval") == pytest.approx(0.849, abs=5e-4)
    assert krippendorff_alpha(EXAMPLE**3, "ordinal") == pytest.approx(0.815, abs=5e-4)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("scores", [[[1.0, 2.0]], [[1, NAN], [NAN, 2]], [[2, 2], [2, 2]], [[NAN]]])
def test_undefined_is_not_zero(level, scores):
    assert np.isnan(krippendorff_alpha(scores, level))


def test_many_values_are_processed_in_batches(monkeypatch):
    scores = np.random.default_rng(0).integers(0, 50, (3, 60)).astype(float)
    whole = [krippendorff_alpha(scores, level) for level in LEVELS]
    monkeypatch.setattr(module, "_ROWS_PER_BATCH", 7)
    assert [krippendorff_alpha(scores, level) for level in LEVELS] == pytest.approx(whole)


def test_unknown_levels_and_negative_ratios_are_errors():
    with pytest.raises(InputError, match="level should be one of nominal, ordinal"):
        krippendorff_alpha(EXAMPLE, "cardinal")
    with pytest.raises(InputError, match="a score is negative"):
        krippendorff_alpha(-EXAMPLE, "ratio")
