"""All results for one set."""

import pickle
import tracemalloc
from itertools import combinations
from random import Random

import numpy as np
import pytest

from analysis.files.groupings import read_groupings
from analysis.groupings.pair_agreement import bcubed
from analysis.groupings.set_agreement import interval_over_participants, study_set
from analysis.groupings.set_record import summary
from tests.analysis.groupings import by_hand as by_hand


@pytest.fixture(scope="module")
def cards(shared_data):
    """Ten cards sorted by five people (kardSort's example)."""
    (found,) = read_groupings(shared_data / "judgments" / "kardsort_example.csv")
    return found.groups


def test_real_cards_agree_beyond_chance(cards):
    found = study_set(cards, draws=500, seed=1)
    by_hand = np.mean([bcubed(one, other).f for k, one in enumerate(cards) for other in cards[:k]])
    assert found.mean.f == pytest.approx(by_hand)
    assert found.mean.f_random == pytest.approx(found.mean.f_random_drawn, abs=0.01)
    assert found.mean.f > found.mean.f_random
    assert found.mean.p_value == pytest.approx(1 / 501)
    assert found.mean.f_interval.low < found.mean.f < found.mean.f_interval.high


@pytest.mark.parametrize("lowest", [-1, 0])
def test_means_and_similarity_are_those_of_plain_python(lowest):
    array = np.random.default_rng(6).integers(lowest, 4, (5, 14))
    found = study_set(array, draws=200, seed=2)
    people = array.tolist()
    assert found.mean.f == pytest.approx(by_hand.mean_f(people))
    expected = by_hand.similarities(people)
    for (i, j), share in expected.items():
        assert found.similarity[i, j] == found.similarity[j, i] == pytest.approx(share)
    assert np.isnan(found.similarity).sum() == 2 * (14 * 13 // 2 - len(expected))


@pytest.mark.parametrize("lowest", [-1, 0])
def test_chance_is_that_of_shuffling_in_plain_python(lowest):
    array = np.random.default_rng(8).integers(lowest, 3, (4, 9))
    found = study_set(array, draws=2_000, seed=5)
    rng = Random(4)
    shuffled = []
    for _ in range(400):
        people = []
        for row in array.tolist():
            labels = [group for group in row if group >= 0]
            rng.shuffle(labels)
            people.append([labels.pop() if group >= 0 else -1 for group in row])
        shuffled.append(by_hand.mean_f(people))
    error = np.std(shuffled) / np.sqrt(400)
    assert found.mean.f_random_drawn == pytest.approx(np.mean(shuffled), abs=4 * error)
    p = np.mean(np.array(shuffled) >= found.mean.f - 1e-12)
    assert found.mean.p_value == pytest.approx(p, abs=4 * np.sqrt(max(p * (1 - p), 0.01) / 400))


def test_the_baseline_with_every_stimulus_alone(cards):
    alone = np.arange(cards.shape[1])
    expected = np.mean([bcubed(alone, row).f for row in cards])
    assert study_set(cards, draws=1).mean.f_alone == pytest.approx(expected)


def test_one_participant_has_no_agreement():
    record = summary(study_set([[0, 0, 1]], draws=3))
    assert record["participants"] == 1
    assert all(np.isnan(record["bcubed"][key]) for key in ("precision", "f", "f_random", "p_value"))
    assert np.isnan(record["ari"])
    assert np.isnan(record["reliability"]["split_half"])


def test_a_participant_who_placed_nothing_is_not_counted():
    record = summary(study_set([[0, 0, 1], [0, 1, 1], [-1, -1, -1]], draws=3))
    assert record["participants"] == 2
    assert record["groups_per_participant"]["min"] == 2


def test_the_same_seed_gives_the_same_record(cards):
    one, other = (summary(study_set(cards, draws=50, seed=9)) for _ in range(2))
    assert one == other


def test_the_mean_by_participant_leaves_out_the_diagonal():
    found = study_set([[0, 0, 1, 1], [0, 0, 1, 1], [0, 1, 0, 1]], draws=1)
    f = found.pairs.f
    expected = [(f[0, 1] + f[0, 2]) / 2, (f[0, 1] + f[1, 2]) / 2, (f[0, 2] + f[1, 2]) / 2]
    np.testing.assert_allclose(found.by_participant(f), expected)


def test_an_interval_leaves_out_each_participant_in_turn():
    rng = np.random.default_rng(4)
    measure = rng.random((6, 6))
    measure = (measure + measure.T) / 2
    measure[0, 1] = measure[1, 0] = np.nan

    def mean(people):
        values = [measure[r, s] for r, s in combinations(people, 2)]
        return np.nanmean(values)

    without = [mean([k for k in range(6) if k != gone]) for gone in range(6)]
    error = np.sqrt(5 / 6 * ((without - np.mean(without)) ** 2).sum())
    found = interval_over_participants(measure)
    half = 2.570582 * error
    assert (found.low, found.high) == pytest.approx((mean(range(6)) - half, mean(range(6)) + half))


def test_equal_values_have_no_width_and_three_people_have_no_interval():
    interval = interval_over_participants(np.full((4, 4), 0.3))
    assert (interval.low, interval.high) == pytest.approx((0.3, 0.3))
    assert np.isnan(interval_over_participants(np.full((3, 3), 0.3)).low)
    apart = np.full((5, 5), 0.3)
    apart[3:] = apart[:, 3:] = np.nan
    assert np.isnan(interval_over_participants(apart).low)


def random_parts(people, placed, of, seed):
    rng = np.random.default_rng(seed)
    array = np.full((people, of), -1)
    for row in array:
        row[rng.choice(of, placed, replace=False)] = rng.integers(0, 3, placed)
    return array


def test_random_sorters_of_parts_agree_by_chance_only():
    """The mean of single indices was .44: pairs without possible gain counted 1 each."""
    found = [study_set(random_parts(20, 6, 30, seed), draws=5) for seed in range(20)]
    single = [np.nanmean(one.pairs.ari[np.triu_indices(20, 1)]) for one in found]
    assert np.mean(single) > 0.3
    assert abs(np.mean([one.mean.ari for one in found])) < 0.06


def test_the_ratio_of_sums_by_hand():
    # Stimuli 0-3, 2-5 and 0, 5: the pairs of people have {2, 3}, {0} and {5} in common. Only the
    # first has a pair of stimuli: apart in one, together in the other; chance expects it so.
    array = np.array([[0, 0, 0, 1, -1, -1], [-1, -1, 0, 0, 1, 1], [0, -1, -1, -1, -1, 0]])
    found = study_set(array, draws=5)
    assert found.mean.ari == 0 and found.mean.median_in_common == 1
    assert np.isnan(found.pairs.f[0, 2]) and found.mean.f == pytest.approx(2 / 3)


def test_with_the_same_stimuli_the_index_is_the_mean_of_single_indices():
    array = np.random.default_rng(1).integers(0, 3, (5, 12))
    found = study_set(array, draws=5)
    assert found.mean.ari == found.pairs.mean(found.pairs.ari)
    assert found.mean.median_in_common == 12


def test_the_agreement_of_many_participants_holds_a_few_arrays_of_pairs_at_once():
    people = 600
    groups = np.random.default_rng(2).integers(0, 3, (people, 6))
    study_set(groups[:9], draws=1)
    tracemalloc.start()
    try:
        found = study_set(groups, draws=1)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    # Eleven arrays of floats before measures were computed for a few participants at a time.
    assert most < 6 * 8 * people**2
    # Results are stored without the pairs, which are computed again in less than a second.
    assert len(pickle.dumps(found)) < people**2 / 4
    assert found.mean.f == found.pairs.mean(found.pairs.f)
