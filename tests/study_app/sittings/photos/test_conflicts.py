"""Conflicts of header cards in sentences."""

import pytest

from study_app.sittings.photos.conflicts import Code, HeaderConflict, in_words


@pytest.mark.parametrize("code", Code)
def test_every_conflict_has_a_message_with_its_numbers(code):
    said = in_words(HeaderConflict(code, header=41, group=42, groups=43, headers=(44, 45, 46)))
    assert said.endswith(".") and "{" not in said
    assert "41" in said or "44, 45 and 46" in said
    assert ("42" in said) == (code is Code.GROUP_HAS_NUMBER)
