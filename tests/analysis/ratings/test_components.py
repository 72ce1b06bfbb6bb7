"""Variance components with missing scores."""

import numpy as np
import pytest

from analysis.ratings.components import harmonic_mean, two_way

NAN = float("nan")


def by_regression(scores):
    """Henderson's method 3 from three least-squares fits of indicator columns."""
    person, stimulus = np.nonzero(~np.isnan(scores))
    y = scores[person, stimulus]
    people, stimuli = (
        np.eye(n)[at] for n, at in zip(scores.shape, (person, stimulus), strict=True)
    )

    def left(columns):
        fitted = columns @ np.linalg.lstsq(columns, y, rcond=None)[0]
        return ((y - fitted) ** 2).sum(), np.linalg.matrix_rank(columns)

    (full, rank), (by_people, k), (by_stimuli, n) = map(
        left, (np.hstack((people, stimuli)), people, stimuli)
    )
    rest = full / (len(y) - rank)
    return (
        (by_people - full - (rank - k) * rest) / (len(y) - k),
        (by_stimuli - full - (rank - n) * rest) / (len(y) - n),
        rest,
    )


def test_by_hand():
    # The residual is 0. Around their own means, people have sums of squares 2 and 1/2 (5 - 2); the
    # stimuli 1/2, 1/2 and 0 (5 - 3).
    found = two_way(np.array([[1, 2, 3], [2, 3, NAN]]))
    assert found == pytest.approx((5 / 6, 1 / 2, 0), abs=1e-12)


@pytest.mark.parametrize("missing", [0, 0.2, 0.5])
def test_components_agree_with_least_squares(missing):
    rng = np.random.default_rng(4)
    for _ in range(20):
        scores = rng.integers(1, 8, (6, 8)).astype(float)
        scores[rng.random(scores.shape) < missing] = NAN
        scores = scores[(~np.isnan(scores)).any(axis=1)][:, (~np.isnan(scores)).any(axis=0)]
        assert two_way(scores) == pytest.approx(by_regression(scores), abs=1e-9)


def test_people_without_stimuli_in_common_form_separate_designs():
    rng = np.random.default_rng(5)
    scores = np.full((6, 8), NAN)
    scores[:3, :4], scores[3:, 4:] = rng.integers(1, 8, (2, 3, 4))
    assert two_way(scores) == pytest.approx(by_regression(scores), abs=1e-9)


def test_complete_scores_have_the_components_of_the_mean_squares():
    x = np.random.default_rng(6).normal(size=(4, 7))
    between = 4 * x.mean(axis=0).var(ddof=1)
    rest = x - x.mean(axis=0) - x.mean(axis=1)[:, None] + x.mean()
    error = (rest**2).sum() / 18
    assert two_way(x)[::2] == pytest.approx(((between - error) / 4, error), abs=1e-12)


def test_components_that_cannot_be_separated_are_undefined():
    assert np.isnan(two_way(np.array([[1, NAN], [1, 2]]))).all()
    assert np.isnan(two_way(np.array([[1, NAN], [NAN, 2]]))).all()


def test_a_stimulus_with_few_scores_counts_most():
    assert harmonic_mean(np.array([1, 3])) == pytest.approx(1.5)
