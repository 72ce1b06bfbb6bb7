"""tau_b of one long row, counted from the table of the ranks of both sides."""

import numpy as np
from numpy.typing import NDArray

# With more cells, sorting is faster than counting.
_CELLS_COUNTED = 1 << 20


def tau_b_of_ranks(p: NDArray[np.int32], q: NDArray[np.int32]) -> float:
    """Kendall's tau_b of two rows of dense ranks, the same as `scipy.stats.kendalltau`.

    Parameters
    ----------
    p, q : int array, shape (candidates,)
        Ranks from 0, each with at least two different ones.
    """
    shape = int(p.max()) + 1, int(q.max()) + 1
    if shape[0] * shape[1] > _CELLS_COUNTED:
        # Loading it takes longer than counting.
        from scipy.stats import kendalltau

        return float(kendalltau(p, q, method="asymptotic").statistic)
    place = p.astype(np.int64) * shape[1] + q
    table = np.bincount(place, minlength=shape[0] * shape[1]).reshape(shape)
    # Of each cell, the candidates that are lower on one side and higher on the other.
    lower = table.cumsum(axis=0) - table
    lower_and_higher = lower[:, ::-1].cumsum(axis=1)[:, ::-1] - lower
    discordant = int((table * lower_and_higher).sum())
    pairs, tied, tied_p, tied_q = (
        int((count * (count - 1) // 2).sum())
        for count in (np.array([len(p)]), table, table.sum(axis=1), table.sum(axis=0))
    )
    difference = pairs - tied_p - tied_q + tied - 2 * discordant
    tau = difference / np.sqrt(pairs - tied_p) / np.sqrt(pairs - tied_q)
    return float(min(1.0, max(-1.0, tau)))
