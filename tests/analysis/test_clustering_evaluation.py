"""Clusterings against people: by hand, and consistent with BCubed itself."""

from itertools import permutations

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

from analysis import bcubed
from analysis.clustering_evaluation import agreement_with, shuffled_agreement
from analysis.errors import InputError


def _membership(groups):
    return np.asarray(groups)[:, None] == np.unique(groups)


def test_each_participant_is_compared_on_what_they_placed():
    own = [0, 0, 1, 1, 2, 2]
    people = np.array([[0, 0, 0, 1, 1, 1], [5, 5, 2, 2, -1, -1], [-1] * 6])
    found = agreement_with(_membership(own), people)
    assert found.stimuli.tolist() == [6, 4, 0]
    expected = bcubed(own, people[0])
    assert (found.precision[0], found.recall[0], found.f[0]) == pytest.approx(expected)
    assert found.ari[0] == pytest.approx(adjusted_rand_score(people[0], own))
    assert found.f[1] == found.ari[1] == 1
    assert np.isnan(found.f[2])


def test_overlap_without_overlap_is_the_same():
    from analysis.clustering_evaluation import _overlapping

    rng = np.random.default_rng(1)
    own, people = _membership(rng.integers(0, 4, 30)), rng.integers(-1, 3, (5, 30))
    plain, extended = agreement_with(own, people), _overlapping(own, people)
    for name in ("stimuli", "precision", "recall", "f", "f_random"):
        assert getattr(extended, name) == pytest.approx(getattr(plain, name))


def test_chance_of_overlapping_groups_is_the_mean_over_every_order():
    own = np.array([[1, 0, 0], [1, 1, 0], [0, 1, 1], [0, 0, 1], [1, 0, 1]], dtype=bool)
    person = np.array([0, 0, 1, 2, 1])
    orders = [list(order) for order in permutations(range(5))]
    found = [agreement_with(own[order], person[None]) for order in orders]
    precision, recall = (
        np.mean([getattr(f, n)[0] for f in found]) for n in ("precision", "recall")
    )
    expected = 2 * precision * recall / (precision + recall)
    assert found[0].f_random[0] == pytest.approx(expected)


def test_shuffled_agreement_is_that_of_shuffled_clusterings():
    rng = np.random.default_rng(3)
    own, people = rng.integers(0, 3, 9), rng.integers(-1, 3, (4, 9))
    people[3] = -1
    random = shuffled_agreement(_membership(own), people, draws=50, seed=8)
    orders = np.random.default_rng(8).permuted(np.broadcast_to(own, (50, 9)), axis=1)
    expected = [np.nanmean(agreement_with(_membership(one), people).f) for one in orders]
    assert random == pytest.approx(expected)


def test_shuffled_agreement_has_the_expected_chance_level():
    rng = np.random.default_rng(4)
    own, person = rng.integers(0, 5, 40), rng.integers(0, 6, 40)
    random = shuffled_agreement(_membership(own), person[None], draws=2_000)
    assert random.mean() == pytest.approx(
        agreement_with(_membership(own), person[None]).f_random[0], abs=0.005
    )


def test_nobody_and_everything_alone():
    assert np.isnan(shuffled_agreement([[1], [1]], [[-1, -1]], draws=3)).all()
    assert shuffled_agreement(np.eye(3), [[0, 0, 1]], draws=3) == pytest.approx([0.8] * 3)


def test_refusals():
    with pytest.raises(InputError, match="do not fit"):
        agreement_with(np.ones((3, 1)), np.zeros((2, 4), dtype=int))
    with pytest.raises(InputError, match="should stand in one group"):
        shuffled_agreement([[1, 1], [0, 1]], [[0, 1]])
    with pytest.raises(InputError, match="draws is 0"):
        shuffled_agreement([[1], [1]], [[0, 1]], draws=0)
