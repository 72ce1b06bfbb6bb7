"""Parts of a set: known designs, balance, and the seed."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from study_app.cards.partial_decks import PartRefused, coverage, draw_parts


@pytest.mark.parametrize(("stimuli", "size", "decks"), [(7, 3, 7), (13, 4, 13)])
def test_projective_planes_are_found(stimuli, size, decks):
    """Fano's plane and the plane of order 3: each pair of points is on exactly one line."""
    found = coverage(stimuli, draw_parts(stimuli, size, decks, 1))
    assert (found.least, found.mean, found.never) == (1, 1.0, 0)


def test_four_halves_miss_as_few_pairs_as_possible():
    """Of six kinds of sketches by their two decks of four, three pairs of kinds never meet."""
    found = coverage(600, draw_parts(600, 300, 4, 1))
    assert found.never == 3 * 100 * 100
    assert found.pairs == 600 * 599 // 2


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_parts_are_balanced(data):
    stimuli = data.draw(st.integers(2, 40))
    size = data.draw(st.integers(2, stimuli))
    decks = data.draw(st.integers(1, 12))
    seed = data.draw(st.integers(0, 2**31))
    parts = draw_parts(stimuli, size, decks, seed)
    assert [len(set(part)) for part in parts] == [size] * decks
    assert all(list(part) == sorted(part) for part in parts)
    used = np.bincount(np.concatenate(parts), minlength=stimuli)
    assert len(used) == stimuli and used.max() - used.min() <= 1
    found = coverage(stimuli, parts)
    assert found.mean == pytest.approx(decks * size * (size - 1) / (stimuli * (stimuli - 1)))
    assert found.least <= found.mean and (found.never > 0) == (found.least == 0)


def test_parts_depend_on_the_seed():
    assert draw_parts(60, 20, 6, 3) == draw_parts.__wrapped__(60, 20, 6, 3)
    assert draw_parts(60, 20, 6, 3) != draw_parts(60, 20, 6, 4)


def test_exchanges_improve_on_random_parts():
    random = np.random.default_rng(0)
    by_chance = tuple(tuple(random.permutation(120)[:40].tolist()) for _ in range(15))
    assert coverage(120, draw_parts(120, 40, 15, 1)).never < coverage(120, by_chance).never / 2


@pytest.mark.parametrize("size", [0, 1, 31])
def test_impossible_parts_are_refused(size):
    with pytest.raises(PartRefused, match=f"2 to 30 of 30 sketches, not {size}"):
        draw_parts(30, size, 2, 1)


def test_coverage_in_words():
    words = coverage(4, ((0, 1), (2, 3))).sentence()
    assert words == (
        "Each pair of sketches is in 0.33 decks on average, and in at least 0; "
        "4 of 6 pairs are in none: print more decks."
    )
