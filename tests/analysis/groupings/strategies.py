"""Hypothesis strategies for groupings."""

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays


def groupings(participants=(1, 5), lowest=-1):
    """Int arrays, shape (participants, 1 to 12 stimuli); -1 is not placed, unless `lowest` is 0."""
    return st.tuples(st.integers(*participants), st.integers(1, 12)).flatmap(
        lambda shape: arrays(np.int64, shape, elements=st.integers(lowest, 4))
    )
