"""Names: clean, and in the order that people expect."""

from hypothesis import given
from hypothesis import strategies as st

from study_app.core.text.names import clean_name, natural


@given(st.lists(st.integers(0, 10**6), unique=True))
def test_names_are_sorted_by_their_numbers(numbers):
    names = [f"s{n}" for n in numbers]
    assert sorted(names, key=natural) == [f"s{n}" for n in sorted(numbers)]


@given(st.text(st.characters()))
def test_every_name_can_be_sorted_and_encoded(text):
    assert natural(text) == natural(text)
    name = clean_name(text)
    assert 1 <= len(name) <= 200
    assert name.encode("utf-8").decode("utf-8").isprintable() or name.split()


def test_names_that_look_alike_are_equal():
    assert clean_name("cafe\u0301") == clean_name("caf\u00e9") == "caf\u00e9"


def test_control_and_bidi_characters_are_removed():
    assert clean_name("\x1b[31ma\u202eb\n\udce9") == "[31mab"
    assert clean_name(" \x00 ") == "unnamed"
