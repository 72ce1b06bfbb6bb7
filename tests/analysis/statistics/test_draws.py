"""Random draws in batches."""

import pytest

from analysis.errors import InputError
from analysis.statistics import draws
from analysis.statistics.draws import check_draws, in_parts


@pytest.mark.parametrize("numbers", [0, 1, 7, 10, 1000])
@pytest.mark.parametrize("wanted", [1, 9, 10, 11, 100])
def test_batches_add_up_and_fit_in_memory(monkeypatch, wanted, numbers):
    monkeypatch.setattr(draws, "_NUMBERS_PER_BATCH", 70)
    parts = list(in_parts(wanted, numbers))
    assert sum(parts) == wanted
    assert all(part > 0 and (part * numbers <= 70 or part == 1) for part in parts)


def test_fewer_than_one_draw_is_an_error():
    check_draws(1)
    with pytest.raises(InputError, match="draws should be at least 1, but is 0"):
        check_draws(0)
