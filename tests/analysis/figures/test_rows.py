"""Rows of a figure: one below the other, and on one page however many there are."""

import numpy as np
import pytest

from analysis.figures.rows import MOST_NAMED, place_rows


def test_up_to_sixty_rows_all_have_names():
    rows = place_rows(MOST_NAMED)
    assert rows.places.tolist() == list(range(MOST_NAMED)) and rows.named.all()
    assert rows.end == MOST_NAMED and place_rows(0).end == 0


@pytest.mark.parametrize("count", [61, 300, 10_000])
def test_of_more_rows_the_first_thirty_and_the_last_fifteen_have_names(count):
    rows = place_rows(count)
    assert np.flatnonzero(rows.named).tolist() == [*range(30), *range(count - 15, count)]
    assert (np.diff(rows.places) > 0).all() and rows.end < MOST_NAMED
    assert rows.inches(0.2) <= 9.6
