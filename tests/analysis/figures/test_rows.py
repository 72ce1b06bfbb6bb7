"""Rows of a figure: one below the other, always on one page."""

import numpy as np
import pytest

from analysis.figures.rows import MAX_NAMED, place_rows


def test_up_to_sixty_rows_are_all_labelled():
    rows = place_rows(MAX_NAMED)
    assert rows.places.tolist() == list(range(MAX_NAMED)) and rows.named.all()
    assert rows.end == MAX_NAMED and place_rows(0).end == 0


@pytest.mark.parametrize("count", [61, 300, 10_000])
def test_with_more_rows_the_first_thirty_and_the_last_fifteen_are_labelled(count):
    rows = place_rows(count)
    assert np.flatnonzero(rows.named).tolist() == [*range(30), *range(count - 15, count)]
    assert (np.diff(rows.places) > 0).all() and rows.end < MAX_NAMED
    assert rows.inches(0.2) <= 9.6
