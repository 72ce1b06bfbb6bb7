"""Weighted rank correlations equal those of repeated items."""

import numpy as np
import pytest
from scipy.stats import kendalltau, spearmanr

from analysis.errors import InputError
from analysis.statistics.rank_correlation import spearman, tau_b
from analysis.statistics.weighted_correlation import weighted_spearman, weighted_tau_b


@pytest.mark.parametrize("seed", range(20))
def test_they_equal_those_of_repeated_items(seed):
    rng = np.random.default_rng(seed)
    x, y = rng.integers(0, 6, (2, 12))
    weights = rng.integers(0, 4, 12)
    repeated = np.repeat(x, weights), np.repeat(y, weights)
    tau, rho = weighted_tau_b(x, y, weights), weighted_spearman(x, y, weights)
    assert tau == pytest.approx(kendalltau(*repeated).statistic, abs=1e-12)
    assert rho == pytest.approx(spearmanr(*repeated).statistic, abs=1e-12)
    assert tau == pytest.approx(tau_b(*repeated)) and rho == pytest.approx(spearman(*repeated))


def test_a_constant_side_and_invalid_weights():
    assert np.isnan(weighted_tau_b([1, 2], [1, 2], [1, 0]))
    assert np.isnan(weighted_spearman([1, 1], [1, 2], [1, 1]))
    for weights in ([1, -1], [1, 0.5], [1]):
        with pytest.raises(InputError, match="weights should be"):
            weighted_tau_b([1, 2], [1, 2], weights)
