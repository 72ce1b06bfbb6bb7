"""Numbers at the terminal."""

from analysis.commands.numerals import in_words


def test_digits_are_rounded_and_no_number_is_said_in_words():
    assert in_words(2 / 3) == "0.6667"
    assert in_words(2 / 3, 2) == "0.67"
    assert in_words(float("nan")) == "undefined"
