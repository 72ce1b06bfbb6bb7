"""Which part of a symbol is in sight, by how well its samples fit."""

import numpy as np
import pytest

from printables.cards.codes import MODULES
from printables.reading.deck.part_in_sight import best_parts, parts_by_finder, points
from printables.reading.symbols.symbol_model import common_samples, grid

X, Y = points().T
ACROSS = (X + Y - MODULES) / 2**0.5
IN_SIGHT = {
    "all": X > -1,
    "beside an edge": X < 12,
    "beside a pen": np.abs(Y - 9) > 2,
    "beside a slanted pen": np.abs(ACROSS - 2) > 1.5,
    "between two cards": np.abs(X - 10) < 5,
    "a corner": (X < 15) & (Y > 6),
    "all but a corner": (X < 12) | (Y < 9),
}


def fits(part, seed=1):
    """What samples add to a part: little on average outside, and not all well inside."""
    rng = np.random.default_rng(seed)
    gain = np.where(part, 0.85 - 2 * rng.exponential(0.2, len(X)), -rng.uniform(-0.8, 2.2, len(X)))
    return gain.astype(np.float32)


@pytest.mark.parametrize("part", IN_SIGHT)
def test_the_part_has_up_to_two_edges(part):
    in_sight = IN_SIGHT[part]
    found = best_parts(fits(in_sight)[None])[0]
    assert (found == in_sight).mean() > 0.89


def test_a_part_is_at_least_a_third_of_a_symbol():
    found = best_parts(fits(X < 3)[None])[0]
    assert 0.33 < found.mean() < 0.45
    assert found[X < 3].mean() > 0.9


def test_a_part_has_modules_that_tell_cards_apart():
    # finder patterns with their separators, of which two are in sight, are the same on all cards
    found = best_parts(fits((Y < 8.5) & ((X < 8.5) | (X > 12.5)))[None])[0]
    own = ~common_samples()[np.array([np.abs(grid() - at).sum(1).argmin() for at in points()])]
    assert found[own].mean() >= 0.15


@pytest.mark.parametrize("pattern", [(3.5, 3.5), (17.5, 3.5), (3.5, 17.5)])
def test_parts_beside_a_finder_pattern_have_it_and_modules_around_it(pattern):
    on_it = np.abs(points() - pattern).max(1) < 3.5
    for part in parts_by_finder(*pattern):
        assert part[on_it].all()
        assert 0.15 < part.mean() < 0.6
