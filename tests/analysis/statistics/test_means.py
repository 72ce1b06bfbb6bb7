"""Macro means over defined queries, and invalid shapes."""

import numpy as np
import pytest

from analysis.errors import InputError
from analysis.statistics.means import macro_mean, two_axes


def test_undefined_queries_are_left_out_of_each_mean():
    values = [[1, 0.5, np.nan], [0.25, 0.75, 0.5], [np.nan] * 3]
    np.testing.assert_array_equal(macro_mean(values), [0.75, 0.5, np.nan])


@pytest.mark.parametrize("values", [1.0, [], [[]], [1.0, np.inf]])
def test_values_without_a_mean_are_an_error(values):
    with pytest.raises(InputError, match=r"queries|infinite"):
        macro_mean(values)


@pytest.mark.parametrize("shape", [(3,), (2, 3, 4), (0, 3)])
def test_values_of_systems_have_two_axes(shape):
    with pytest.raises(InputError, match="systems, queries"):
        two_axes(np.zeros(shape))
