"""Names of files: plain, never empty, and different even where letters are not."""

from hypothesis import given
from hypothesis import strategies as st

from study_app.results.exports.names import plain_names


def test_equal_plain_names_get_numbers():
    found = plain_names(["P-01", "P01", "p01", "P01x2"])
    assert list(found.values()) == ["P01", "P01x2", "p01x3", "P01x2x2"]


def test_names_without_plain_letters_get_a_file():
    assert plain_names(["椅子", "猫"]) == {"椅子": "x", "猫": "xx2"}


@given(st.lists(st.text(max_size=80), unique=True))
def test_no_two_names_share_a_file_on_any_disk(names):
    found = plain_names(names)
    assert list(found) == names
    assert all(name.isascii() and name.isalnum() for name in found.values())
    assert len({name.lower() for name in found.values()}) == len(names)
