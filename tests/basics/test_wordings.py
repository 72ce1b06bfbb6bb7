"""Wordings: English texts that are stored and translated later."""

import numpy as np
import pytest

from basics.errors import Refusal
from basics.wordings import Wording, packed, unpacked


def _made():
    found = Wording("has %(num)s field", "has %(num)s fields", 3)
    return Refusal(Wording("%(found)s in %(part)s", found=found, part=0.5), "a.csv", 2)


def test_the_message_of_a_refusal_is_english_with_its_values():
    message = str(_made())
    assert message == "a.csv:2: has 3 fields in 0.5"
    assert isinstance(message, Wording) and message.values["finding"].values["found"].number == 3
    assert isinstance(Refusal("is empty").finding, Wording)


def test_a_stored_message_is_restored():
    message = unpacked(packed(str(_made())))
    assert message == "a.csv:2: has 3 fields in 0.5" and packed(message) == packed(str(_made()))


def test_numbers_of_arrays_are_stored():
    assert unpacked(packed(Wording("%(rows)s rows", rows=np.int64(3)))) == "3 rows"


@pytest.mark.parametrize("text", ["", "100 % done", '["not", "one"]', "[", '["a", null, 1, {}]'])
def test_a_plain_text_is_restored(text):
    assert unpacked(packed(text)) == text
