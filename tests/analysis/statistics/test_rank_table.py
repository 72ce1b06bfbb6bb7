"""tau_b from a table of ranks is exactly that of scipy."""

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from analysis.statistics import rank_table
from analysis.statistics.rank_correlation import order_ranks
from analysis.statistics.rank_table import tau_b_of_ranks

ROWS = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=2, max_size=40)


@given(ROWS)
def test_a_table_of_ranks_gives_the_same_number_as_scipy(rows):
    p, q = (order_ranks(side) for side in np.array(rows, dtype=float).T)
    if p.max() and q.max():
        assert tau_b_of_ranks(p, q) == scipy.stats.kendalltau(p, q).statistic


@pytest.mark.parametrize("cells", [1, 1 << 20])
def test_many_different_ranks(monkeypatch, cells):
    drawn = np.random.default_rng(5)
    p = order_ranks(drawn.integers(0, 900, 2_000).astype(float))
    q = order_ranks(drawn.integers(0, 2, 2_000) + p / 900)
    monkeypatch.setattr(rank_table, "_CELLS_COUNTED", cells)
    assert tau_b_of_ranks(p, q) == scipy.stats.kendalltau(p, q).statistic
