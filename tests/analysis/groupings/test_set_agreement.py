"""Everything about one set."""

from random import Random

import numpy as np
import pytest

from analysis.files.groupings import read_groupings
from analysis.groupings.pair_agreement import bcubed
from analysis.groupings.set_agreement import bootstrap_participants, study_set
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


def test_all_alone_is_stated_since_it_may_beat_chance(cards):
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


def test_the_mean_by_participant_leaves_out_oneself():
    found = study_set([[0, 0, 1, 1], [0, 0, 1, 1], [0, 1, 0, 1]], draws=1)
    f = found.pairs.f
    expected = [(f[0, 1] + f[0, 2]) / 2, (f[0, 1] + f[1, 2]) / 2, (f[0, 2] + f[1, 2]) / 2]
    np.testing.assert_allclose(found.by_participant(f), expected)


def test_bootstrap_of_equal_values_has_no_width_and_two_participants_have_none():
    interval = bootstrap_participants(np.full((4, 4), 0.3), seed=0)
    assert (interval.low, interval.high) == (pytest.approx(0.3), pytest.approx(0.3))
    assert np.isnan(bootstrap_participants(np.full((2, 2), 0.3), seed=0).low)
