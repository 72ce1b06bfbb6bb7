"""Texts that are stored before they are translated."""

import numpy as np
import pytest

from basics.errors import Refusal
from basics.wordings import Wording, packed, unpacked


def _made():
    found = Wording("has %(num)s field", "has %(num)s fields", 3)
    return Refusal(Wording("%(found)s in %(part)s", found=found, part=0.5), "a.csv", 2)


def test_a_refusal_is_english_and_keeps_its_values():
    said = str(_made())
    assert said == "a.csv:2: has 3 fields in 0.5"
    assert isinstance(said, Wording) and said.values["finding"].values["found"].number == 3
    assert isinstance(Refusal("is empty").finding, Wording)


def test_a_stored_refusal_is_the_same_again():
    said = unpacked(packed(str(_made())))
    assert said == "a.csv:2: has 3 fields in 0.5" and packed(said) == packed(str(_made()))


def test_numbers_of_arrays_are_stored():
    assert unpacked(packed(Wording("%(rows)s rows", rows=np.int64(3)))) == "3 rows"


@pytest.mark.parametrize("text", ["", "100 % done", '["not", "one"]', "[", '["a", null, 1, {}]'])
def test_a_text_without_places_is_stored_as_it_is(text):
    assert unpacked(packed(text)) == text
