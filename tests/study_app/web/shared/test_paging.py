"""Pages of a long list: the one that was asked for, or the nearest."""

import pytest

from study_app.web.shared.paging import paging


@pytest.mark.parametrize(
    ("total", "asked", "number", "offset", "until"),
    [
        (25, 1, 1, 0, 10),
        (25, 3, 3, 20, 25),
        (25, 4, 3, 20, 25),
        (25, 0, 1, 0, 10),
        (25, -7, 1, 0, 10),
        (25, None, 1, 0, 10),
        (20, 9, 2, 10, 20),
        (0, 5, 1, 0, 0),
    ],
)
def test_a_page_of_a_list_has_the_stated_rows(total, asked, number, offset, until):
    page = paging(total, 10, asked)
    assert (page.number, page.offset, page.until) == (number, offset, until)
