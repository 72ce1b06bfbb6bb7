"""Digit keys: every layout gives each digit back, plain keyboards included."""

import pytest

from printables.cards.keyboards import digit_keys


@pytest.mark.parametrize("layout", digit_keys())
def test_every_layout_has_a_key_for_each_digit(layout):
    assert set(digit_keys()[layout].values()) == set("1234567890")


def test_the_french_row_is_read_without_shift_and_with_capitals_lock():
    keys = digit_keys()["France"]
    assert "".join(keys[sign] for sign in "&é\"'(-è_çà") == "1234567890"
    assert keys["É"] == "2" and keys["7"] == "7"
