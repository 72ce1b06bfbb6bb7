"""BCubed and Rand indices between participants."""

import bcubed as bcubed_package
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import hypergeom
from sklearn.metrics import adjusted_rand_score, rand_score

from analysis.errors import InputError
from analysis.groupings import contingency, pair_agreement
from analysis.groupings.pair_agreement import bcubed, bcubed_pairs
from tests.analysis.groupings.strategies import groupings

PAIRS = groupings(participants=(2, 2))
MEASURES = ("stimuli", "precision", "together", "first", "groups")


def placed_by_both(array):
    return array[:, (array >= 0).all(axis=0)]


def as_sets(row):
    return {item: {group} for item, group in enumerate(row)}


def test_precision_and_recall_by_hand():
    # Groups {a b c} {d e} against {a b} {c d e}: a, b share 2 of 3; c 1 of 3; d, e 2 of 2.
    precision, recall, f = bcubed([0, 0, 0, 1, 1], [0, 0, 1, 1, 1])
    assert precision == pytest.approx((2 / 3 + 2 / 3 + 1 / 3 + 1 + 1) / 5)
    assert recall == pytest.approx((1 + 1 + 1 / 3 + 2 / 3 + 2 / 3) / 5)
    assert f == pytest.approx(2 * precision * recall / (precision + recall))


def test_equal_groupings_agree_fully_whatever_their_numbers():
    assert bcubed([0, 0, 1, 2], [5, 5, 9, 0]) == (1, 1, 1)


def test_only_what_both_placed_counts():
    assert bcubed([0, 0, -1, 1], [0, 0, 1, -1]) == (1, 1, 1)
    assert bcubed_pairs([[0, 0, -1, 1], [0, 0, 1, -1]]).stimuli[0, 1] == 2


def test_without_stimuli_in_common_agreement_is_undefined_not_zero():
    pair = bcubed_pairs([[0, -1], [-1, 0]])
    for measure in (pair.precision, pair.f, pair.rand, pair.ari, pair.f_random):
        assert np.isnan(measure[0, 1])
    assert np.isnan(bcubed([0, -1], [-1, 0]).f)


def test_groupings_of_different_lengths_are_an_error():
    with pytest.raises(InputError, match=r"shapes \(2,\) and \(3,\)"):
        bcubed([0, 1], [0, 1, 2])


@given(groupings())
def test_swapping_swaps_precision_and_recall_and_leaves_f(array):
    pairs = bcubed_pairs(array)
    for r, one in enumerate(array):
        for s, other in enumerate(array):
            precision, recall, f = bcubed(one, other)
            np.testing.assert_allclose(pairs.precision[r, s], precision)
            np.testing.assert_allclose(pairs.precision[s, r], recall)
            np.testing.assert_allclose([pairs.f[r, s], pairs.f[s, r]], [f, f])


@given(PAIRS, st.randoms(use_true_random=False))
def test_order_of_stimuli_does_not_matter(array, random):
    order = list(range(array.shape[1]))
    random.shuffle(order)
    np.testing.assert_allclose(bcubed(*array), bcubed(*array[:, order]))


@given(PAIRS)
def test_bcubed_package_agrees(array):
    common = placed_by_both(array)
    if common.shape[1] < 2:
        assert np.isnan(bcubed(*array)).all()
    else:
        one, other = (as_sets(row) for row in common)
        expected = bcubed_package.precision(one, other), bcubed_package.recall(one, other)
        np.testing.assert_allclose(bcubed(*array)[:2], expected)


@given(PAIRS)
def test_scikit_learn_agrees_on_rand_indices(array):
    common = placed_by_both(array)
    pair = bcubed_pairs(array)
    if common.shape[1] > 1:
        assert pair.ari[0, 1] == pytest.approx(adjusted_rand_score(*common))
        assert pair.rand[0, 1] == pytest.approx(rand_score(*common))


@given(PAIRS)
def test_expected_f_is_the_hypergeometric_one(array):
    common = placed_by_both(array)
    n = common.shape[1]
    if n > 1:
        sizes = [np.unique(row, return_counts=True)[1] for row in common]
        shared = np.arange(n + 1)
        square = np.array(
            [[shared**2 @ hypergeom.pmf(shared, n, a, b) for b in sizes[1]] for a in sizes[0]]
        )
        precision = (square / sizes[0][:, None]).sum() / n
        recall = (square / sizes[1]).sum() / n
        expected = 2 * precision * recall / (precision + recall)
        assert bcubed_pairs(array).f_random[0, 1] == pytest.approx(expected)


@pytest.mark.parametrize("lowest", [-1, 0])
def test_batched_and_sparse_tables_equal_whole_tables(monkeypatch, lowest):
    array = np.random.default_rng(3).integers(lowest, 9, (7, 40))
    whole = bcubed_pairs(array)
    monkeypatch.setattr(contingency, "_CELLS_PER_BATCH", 200)
    in_runs = bcubed_pairs(array)
    monkeypatch.setattr(contingency, "_ENTRIES_PER_BATCH", 1)
    one_by_one = bcubed_pairs(array)
    monkeypatch.setattr(contingency, "SPARSE_BEYOND", 0)
    sparse = bcubed_pairs(array)
    for other in (in_runs, one_by_one, sparse):
        for measure in MEASURES:
            np.testing.assert_allclose(getattr(other, measure), getattr(whole, measure))


def test_sums_over_large_groups_are_exact():
    # Above 4,096, squares of counts need more digits than single precision has.
    one = np.zeros((2, 9_001), dtype=int)
    one[1, :3] = 1
    pair = bcubed_pairs(one)
    assert pair.together[0, 1] == 8_998**2 + 3**2
    assert pair.precision[1, 0] == 1
    assert pair.precision[0, 1] == pytest.approx(pair.together[0, 1] / 9_001**2, rel=1e-14)


@pytest.mark.parametrize("lowest", [-1, 0])
def test_measures_are_the_same_for_a_few_participants_at_a_time(monkeypatch, lowest):
    pairs = bcubed_pairs(np.random.default_rng(4).integers(lowest, 4, (9, 12)))
    measures = "f", "f_random", "rand", "ari"
    whole = {measure: getattr(pairs, measure) for measure in measures}
    monkeypatch.setattr(pair_agreement, "_PAIRS_AT_ONCE", 20)
    for measure in measures:
        np.testing.assert_array_equal(getattr(pairs, measure), whole[measure])
        some = getattr(pairs.rows(slice(3, 5)), measure)
        np.testing.assert_array_equal(some, whole[measure][3:5])


def test_mean_is_over_pairs_of_different_participants_that_are_defined():
    pairs = bcubed_pairs([[0, 0, -1], [0, 1, -1], [-1, -1, 0]])
    assert pairs.mean(pairs.rand) == 0
    assert np.isnan(bcubed_pairs([[0, 1]]).mean(np.ones((1, 1))))
