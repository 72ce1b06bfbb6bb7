"""Conflicts of header cards in sentences."""

import pytest

from study_app.sittings.photos.conflicts import Code, HeaderConflict, in_words


@pytest.mark.parametrize("code", Code)
def test_every_conflict_has_a_message_with_its_numbers(code):
    sentence = in_words(HeaderConflict(code, header=41, group=42, groups=43, headers=(44, 45, 46)))
    assert sentence.endswith(".") and "{" not in sentence
    assert "41" in sentence or "44, 45 and 46" in sentence
    assert ("42" in sentence) == (code is Code.GROUP_HAS_NUMBER)
