"""Extended BCubed."""

import bcubed as bcubed_package
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from analysis.clusterings.overlapping import bcubed_overlapping
from analysis.errors import InputError
from analysis.groupings.pair_agreement import bcubed

# Seven items in the categories gray, black and dashed, and six clusterings: figures 16 to 21 of
# Amigó et al. 2009. Each word lists the clusters of one item.
TRUTH = "gb gb g b b d d"
FIGURES = [
    ("AB AB A B B C C", 1, 1),
    ("EAB EAB EA B B C C", 0.8619, 1),
    ("FEAB FEAB FEA B B C C", 0.8095, 1),
    ("A A A B B C C", 1, 0.6857),
    ("AB AB A D D C C", 1, 0.7429),
    ("A A A A A B B", 0.8857, 0.9429),
]


def members(words):
    letters = sorted(set(words) - {" "})
    return np.array([[letter in word for letter in letters] for word in words.split()])


@pytest.mark.parametrize(("clusters", "precision", "recall"), FIGURES)
def test_worked_figures_of_the_paper(clusters, precision, recall):
    found = bcubed_overlapping(members(clusters), members(TRUTH))
    assert found.precision == pytest.approx(precision, abs=5e-5)
    assert found.recall == pytest.approx(recall, abs=5e-5)


@given(st.integers(1, 8).flatmap(lambda n: arrays(np.int64, (2, n), elements=st.integers(-1, 3))))
def test_without_overlap_it_is_bcubed(pair):
    one, other = (row[:, None] == np.arange(4) for row in pair)
    np.testing.assert_allclose(bcubed_overlapping(one, other), bcubed(*pair))


@given(st.integers(1, 7).flatmap(lambda n: arrays(bool, (2, n, 3))))
def test_bcubed_package_agrees_on_stimuli_placed_by_both(sides):
    placed = sides.any(axis=2).all(axis=0)
    found = bcubed_overlapping(*sides)
    if placed.sum() < 2:
        assert np.isnan(found.f)
        return
    one, other = (
        {k: set(np.flatnonzero(row)) for k, row in enumerate(side[placed])} for side in sides
    )
    assert found.precision == pytest.approx(bcubed_package.precision(one, other))
    assert found.recall == pytest.approx(bcubed_package.recall(one, other))


def test_different_numbers_of_stimuli_are_an_error():
    with pytest.raises(InputError, match=r"shapes \(2, 1\) and \(3, 1\)"):
        bcubed_overlapping([[1], [1]], [[1], [1], [1]])
