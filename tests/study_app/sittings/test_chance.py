"""Agreement no better than chance: by hand, and alike in both ways of counting."""

import numpy as np
import pytest

from study_app.sittings import chance
from study_app.sittings.chance import SHUFFLES, chances


def test_chance_level_sorting_is_distinguished_from_careful_sorting():
    careful = np.arange(24) % 4
    swapped = careful.copy()
    swapped[[0, 1]] = careful[[1, 0]]
    dealt = np.random.default_rng(7).permutation(careful)
    sorted_by = np.stack([careful, careful, swapped, dealt, np.zeros(24, int)])
    *good, at_random, one_pile = chances(sorted_by)
    # None of 199 random groupings agrees as well: 1 of 200, itself included.
    assert good == [1 / 200] * 3
    assert at_random > 0.05
    # With one group, every permutation is the same.
    assert one_pile == 1
    # No result with too few cards or assessors; unplaced cards are not counted.
    assert np.isnan(chances(sorted_by[:, :19])).all() and np.isnan(chances(sorted_by[:3])).all()
    unplaced = np.where(np.arange(24) < 5, -1, sorted_by)
    assert np.isnan(chances(unplaced)).all()


@pytest.mark.parametrize("most_paired", [0, 2_000])
@pytest.mark.parametrize("seed", range(6))
def test_both_algorithms_agree_with_the_definition(seed, most_paired, monkeypatch):
    monkeypatch.setattr(chance, "MOST_PAIRED", most_paired)
    draw = np.random.default_rng(seed)
    sittings, cards, groups = draw.integers(4, 8), draw.integers(32, 48), draw.integers(1, 7)
    careful = draw.integers(0, groups, cards)
    strayed = draw.random((sittings, cards)) < 0.5
    matrix = np.where(strayed, draw.integers(0, groups, (sittings, cards)), careful)
    matrix[draw.random(matrix.shape) < 0.1] = -1
    assert chances(matrix) == pytest.approx([_defined(matrix, at) for at in range(sittings)])


def _defined(matrix, at):
    """Of the same shufflings, from the matrix of all pairs of cards."""
    row, others = matrix[at], np.delete(matrix, at, axis=0)
    placed = row != -1
    together = np.zeros((placed.sum(),) * 2)
    for other in others[:, placed]:
        together += (other[:, None] == other) & (other != -1)
    draw = np.random.default_rng(0)
    orders = [np.arange(placed.sum()), *(draw.permutation(placed.sum()) for _ in range(SHUFFLES))]
    shuffled = [row[placed][order] for order in orders]
    pairs = [together[groups[:, None] == groups].sum() for groups in shuffled]
    return sum(one >= pairs[0] for one in pairs) / len(pairs)
