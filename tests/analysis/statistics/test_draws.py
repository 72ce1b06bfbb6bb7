"""Random draws in parts."""

import pytest

from analysis.errors import InputError
from analysis.statistics import draws
from analysis.statistics.draws import check_draws, in_parts


@pytest.mark.parametrize("numbers", [0, 1, 7, 10, 1000])
@pytest.mark.parametrize("wanted", [1, 9, 10, 11, 100])
def test_parts_add_up_and_stay_within_memory(monkeypatch, wanted, numbers):
    monkeypatch.setattr(draws, "_NUMBERS_AT_ONCE", 70)
    parts = list(in_parts(wanted, numbers))
    assert sum(parts) == wanted
    assert all(part > 0 and (part * numbers <= 70 or part == 1) for part in parts)


def test_fewer_than_one_draw_is_refused():
    check_draws(1)
    with pytest.raises(InputError, match="draws is 0; at least 1 is needed"):
        check_draws(0)
