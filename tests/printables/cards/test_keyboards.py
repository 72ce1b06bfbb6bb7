"""The digit keys of keyboard layouts."""

import pytest

from printables.cards.keyboards import digit_keys


@pytest.mark.parametrize("layout", digit_keys())
def test_every_layout_has_a_key_for_each_digit(layout):
    assert set(digit_keys()[layout].values()) == set("1234567890")


def test_the_french_row_without_shift_and_with_caps_lock():
    keys = digit_keys()["France"]
    assert "".join(keys[character] for character in "&é\"'(-è_çà") == "1234567890"
    assert keys["É"] == "2" and keys["7"] == "7"
