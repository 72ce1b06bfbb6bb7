"""Errors that name what there is instead."""

import pytest

from study_app.core.errors import MOST_NAMES, NotFound


@pytest.mark.parametrize(
    ("known", "message"),
    [
        ([], "There is no set 'cars'."),
        (["cats", "dogs"], "There is no set 'cars'. Choose one of: cats, dogs"),
    ],
)
def test_existing_names_are_listed(known, message):
    assert str(NotFound("set", "cars", known)) == message


def test_only_some_of_many_names_are_listed():
    names = [str(number) for number in range(MOST_NAMES + 1)]
    assert str(NotFound("set", "cars", names)).endswith(f", {MOST_NAMES - 1}, …")
    assert not str(NotFound("set", "cars", names[1:])).endswith("…")
