"""Numbers in sentences: singular, plural, thousands."""

import pytest

from basics.plurals import counted


@pytest.mark.parametrize(
    ("number", "text"),
    [(0, "0 cards"), (1, "1 card"), (2, "2 cards"), (2400, "2,400 cards")],
)
def test_one_is_singular_and_every_other_number_plural(number, text):
    assert counted(number, "card") == text


def test_an_irregular_plural():
    assert (counted(1, "query", "queries"), counted(3, "query", "queries")) == (
        "1 query",
        "3 queries",
    )
