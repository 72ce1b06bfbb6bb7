"""Split-half reliability."""

import numpy as np
import pytest

from analysis.errors import InputError
from analysis.groupings import reliability as module
from analysis.groupings.pair_agreement import bcubed_pairs
from analysis.groupings.reliability import split_half_reliability
from analysis.groupings.similarity import cogrouping
from analysis.groupings.spearman_brown import spearman_brown
from tests.analysis.groupings.by_hand import all_halves, longer


def noisy(participants=10, stimuli=30, noise=0.4, seed=0):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 5, stimuli)
    own = rng.integers(0, 5, (participants, stimuli))
    return np.where(rng.random(own.shape) < noise, own, truth)


def test_two_participants_have_one_split():
    array = noisy(2)
    pairs = np.triu_indices(30, 1)
    r = np.corrcoef(*(cogrouping(row[None])[pairs] for row in array))[0, 1]
    found = split_half_reliability(array, halves=3)
    assert found.correlation == pytest.approx(r)
    assert found.split_half == pytest.approx(2 * r / (1 + r))
    assert np.isnan([found.low, found.high]).all()


def test_samples_correlate_as_their_similarities_do():
    array = noisy(7)
    pairs = np.triu_indices(30, 1)
    one, other = (
        np.array([side], float) for side in ([1, 0, 1, 0, 0, 1, 0], [0, 1, 0, 1, 1, 0, 0])
    )
    r = np.corrcoef(*(cogrouping(array[side[0] > 0])[pairs] for side in (one, other)))[0, 1]
    covariances = module._covariances(bcubed_pairs(array))
    from_counts, length = module._from_covariances(covariances, one, other)
    assert (from_counts, length) == (pytest.approx(r), 3)
    array[0, :9] = array[3, 20:] = -1
    halves = [cogrouping(array[side[0] > 0])[pairs] for side in (one, other)]
    known = ~np.isnan(halves).any(axis=0)
    r = np.corrcoef(halves[0][known], halves[1][known])[0, 1]
    looked_at = module._pairs_of_stimuli(array, np.random.default_rng(0))
    found, length = module._from_pairs(*looked_at, one, other)
    assert found == pytest.approx(r, abs=1e-5)
    assert 1 < length < 3


def test_curve_and_split_half_are_those_of_every_split_in_plain_python():
    array = noisy(6, 12)
    found = split_half_reliability(array, halves=4_000, seed=1)
    people = array.tolist()
    for point in found.curve:
        every = all_halves(people, point.participants)
        error = np.std(every) / np.sqrt(4_000)
        assert point.reliability == pytest.approx(np.mean(every), abs=5 * error)
    corrected = [longer(r, 2) for r in all_halves(people, 3)]
    error = np.std(corrected) / np.sqrt(4_000)
    assert found.split_half == pytest.approx(np.mean(corrected), abs=5 * error)


def test_an_odd_number_of_participants_is_corrected_for():
    array = noisy(5, 12)
    found = split_half_reliability(array, halves=4_000, seed=2)
    corrected = [longer(r, 5 / 2) for r in all_halves(array.tolist(), 2)]
    error = np.std(corrected) / np.sqrt(4_000)
    assert found.split_half == pytest.approx(np.mean(corrected), abs=5 * error)


def test_parts_of_a_set_have_the_curve_of_every_split_in_plain_python():
    array = noisy(6, 14, noise=0.3)
    array[0, :4] = array[3, 9:] = array[5, 5:8] = -1
    found = split_half_reliability(array, halves=4_000, seed=3)
    for point in found.curve:
        every = all_halves(array.tolist(), point.participants)
        error = np.std(every) / np.sqrt(4_000)
        assert point.reliability == pytest.approx(np.mean(every), abs=5 * error + 1e-3)


def test_one_missing_stimulus_changes_little():
    array = noisy(9, 40)
    complete = split_half_reliability(array, 300)
    array[0, 0] = -1
    partial = split_half_reliability(array, 300)
    assert partial.split_half == pytest.approx(complete.split_half, abs=0.02)


def test_a_random_sample_of_pairs_represents_all(monkeypatch):
    array = noisy(8, 60)
    array[::2, :20] = -1
    every = split_half_reliability(array, 100)
    monkeypatch.setattr(module, "_PAIRS", 600)
    assert split_half_reliability(array, 100).split_half == pytest.approx(every.split_half, abs=0.1)


def test_more_participants_are_more_reliable_and_the_seed_determines_the_splits():
    array = noisy(20)
    found, again = (split_half_reliability(array, 200, seed=3) for _ in range(2))
    assert found == again
    means = [point.reliability for point in found.curve]
    assert [point.participants for point in found.curve] == list(range(1, 11))
    assert means == sorted(means)
    assert means[-1] < found.split_half
    assert found.low < found.split_half < found.high
    assert found.needed[0.9] > found.expected[0.9] >= found.expected[0.8]


def test_predictions_agree_with_results_of_more_participants():
    few, many = (split_half_reliability(noisy(40)[:n], 300) for n in (10, 40))
    predicted = float(spearman_brown(few.split_half, 4))
    assert many.split_half == pytest.approx(predicted, abs=0.05)


def test_parts_of_a_set_are_as_reliable_as_another_such_study_shows():
    array = noisy(24, 80, noise=0.25)
    array[np.random.default_rng(7).random(array.shape) < 0.35] = -1
    one, other = array[:12], array[12:]
    similarities = [cogrouping(side)[np.triu_indices(80, 1)] for side in (one, other)]
    known = ~np.isnan(similarities).any(axis=0)
    again = np.corrcoef(*(side[known] for side in similarities))[0, 1]
    assert split_half_reliability(one).split_half == pytest.approx(again, abs=0.05)


@pytest.mark.parametrize(
    "array", [[[0, 0, 1]], [[0], [0]], [[0, 0, 0], [0, 0, 0]], [[0, -1], [-1, 0]]]
)
def test_undefined_is_nan_and_not_zero(array):
    found = split_half_reliability(array, 5)
    assert np.isnan(found.split_half)
    assert found.needed == found.expected == {0.8: None, 0.9: None}
    assert not found.enough(0.8)


def jackknifed(array, halves):
    """The interval in plain numpy: the same halves, leaving out each participant in turn."""
    pairs = np.triu_indices(array.shape[1], 1)
    z = []
    for gone in range(len(array)):
        corrected = []
        for sides in halves:
            left = [[k for k in side if k != gone] for side in sides]
            one, other = (cogrouping(array[side])[pairs] for side in left)
            length = 2 / sum(1 / len(side) for side in left)
            corrected.append(spearman_brown(np.corrcoef(one, other)[0, 1], len(array) / length))
        z.append(np.arctanh(np.mean(corrected)))
    return np.sqrt((len(z) - 1) / len(z) * ((z - np.mean(z)) ** 2).sum())


def test_the_interval_leaves_out_each_participant_of_the_same_halves(monkeypatch):
    array = noisy(6, 12, noise=0.3)
    drawn = []

    def samples(participants, n, halves, rng):
        drawn[:] = [rng.permutation(participants)[: 2 * n] for _ in range(halves)]
        sides = np.zeros((2, halves, participants))
        for row, order in enumerate(drawn):
            sides[0, row, order[:n]] = sides[1, row, order[n:]] = 1
        return sides[0], sides[1]

    monkeypatch.setattr(module, "_samples", samples)
    found = split_half_reliability(array, halves=7, seed=1)
    error = jackknifed(array, [(order[:3], order[3:]) for order in drawn])
    bounds = np.tanh(np.arctanh(found.split_half) + 2.570582 * error * np.array([-1, 1]))
    assert (found.low, found.high) == pytest.approx(tuple(bounds), abs=1e-6)


def test_enough_depends_on_the_lower_bound():
    found = split_half_reliability(noisy(8, 30, noise=0.25), 100)
    assert found.split_half > 0.8 > found.low
    assert not found.enough(0.8) and found.enough(found.low)
    assert found.expected[0.8] <= 8 < found.needed[0.8]
    assert float(spearman_brown(found.low, found.needed[0.8] / 8)) >= 0.8


def test_many_participants_are_left_out_in_groups_and_parts_have_an_interval(monkeypatch):
    array = noisy(24, 30)
    each = split_half_reliability(array, 60)
    monkeypatch.setattr(module, "_MAX_LEFT_OUT", 12)
    groups = split_half_reliability(array, 60)
    assert groups.split_half == each.split_half
    assert groups.low == pytest.approx(each.low, abs=0.05)
    array[np.random.default_rng(1).random(array.shape) < 0.3] = -1
    parts = split_half_reliability(array, 60)
    assert parts.low < parts.split_half < parts.high


def test_full_agreement_has_an_interval_of_no_width():
    found = split_half_reliability([[0, 0, 1, 1, 2]] * 5, 10)
    assert found.split_half == pytest.approx(1) and found.low == pytest.approx(1)


def test_zero_halves_are_an_error():
    with pytest.raises(InputError, match="halves should be at least 1"):
        split_half_reliability([[0, 1], [0, 1]], 0)
