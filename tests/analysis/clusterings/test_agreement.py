"""Clusterings against people: by hand, and consistent with BCubed itself."""

from itertools import permutations

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

from analysis import bcubed, bcubed_overlapping
from analysis.clusterings.agreement import agreement_with
from analysis.errors import InputError


def _membership(groups):
    return np.asarray(groups)[:, None] == np.unique(groups)


def test_each_participant_is_compared_on_the_stimuli_they_placed():
    own = [0, 0, 1, 1, 2, 2]
    people = np.array([[0, 0, 0, 1, 1, 1], [5, 5, 2, 2, -1, -1], [-1] * 6])
    found = agreement_with(_membership(own), people)
    assert found.stimuli.tolist() == [6, 4, 0]
    expected = bcubed(own, people[0])
    assert (found.precision[0], found.recall[0], found.f[0]) == pytest.approx(expected)
    assert found.ari[0] == pytest.approx(adjusted_rand_score(people[0], own))
    assert found.f[1] == found.ari[1] == 1
    assert np.isnan(found.f[2])


def test_extended_bcubed_equals_bcubed_without_overlap():
    from analysis.clusterings.agreement import _overlapping

    rng = np.random.default_rng(1)
    own, people = _membership(rng.integers(0, 4, 30)), rng.integers(-1, 3, (5, 30))
    plain, extended = agreement_with(own, people), _overlapping(own, people)
    for name in ("stimuli", "precision", "recall", "f", "f_random"):
        assert getattr(extended, name) == pytest.approx(getattr(plain, name))


@pytest.mark.parametrize("seed", range(5))
def test_overlapping_groups_are_compared_by_extended_bcubed(seed):
    rng = np.random.default_rng(seed)
    own, people = rng.random((12, 4)) < 0.35, rng.integers(-1, 3, (6, 12))
    own[0], people[5] = True, -1
    found = agreement_with(own, people)
    for k, person in enumerate(people):
        two = bcubed_overlapping(own, person[:, None] == np.arange(3))
        assert (found.precision[k], found.recall[k], found.f[k]) == pytest.approx(two, nan_ok=True)


def test_chance_of_overlapping_groups_is_the_mean_over_all_orders():
    own = np.array([[1, 0, 0], [1, 1, 0], [0, 1, 1], [0, 0, 1], [1, 0, 1]], dtype=bool)
    person = np.array([0, 0, 1, 2, 1])
    orders = [list(order) for order in permutations(range(5))]
    found = [agreement_with(own[order], person[None]) for order in orders]
    precision, recall = (
        np.mean([getattr(f, n)[0] for f in found]) for n in ("precision", "recall")
    )
    expected = 2 * precision * recall / (precision + recall)
    assert found[0].f_random[0] == pytest.approx(expected)


def test_adjusted_f_and_f_that_chance_always_reaches():
    found = agreement_with([[1, 0], [1, 0], [0, 1], [0, 1]], [[0, 0, 1, 1], [0, 0, 0, 0], [-1] * 4])
    # Of two pairs one more stimulus is right by chance in one of three cases: F 2/3.
    assert found.f_random[0] == pytest.approx(2 / 3)
    assert found.f_adjusted[0] == 1
    everything = agreement_with(np.ones((3, 1)), [[0, 0, 0]])
    assert everything.f_random[0] == 1 and np.isnan(everything.f_adjusted[0])
    assert np.isnan(found.f_adjusted[2])


def test_refusals():
    with pytest.raises(InputError, match="do not match"):
        agreement_with(np.ones((3, 1)), np.zeros((2, 4), dtype=int))
