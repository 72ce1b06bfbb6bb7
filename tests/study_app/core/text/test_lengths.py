"""Texts are stored whole or refused in a sentence that counts."""

import pytest

from study_app.core.text.lengths import TextTooLong, whole


def test_a_text_is_not_truncated():
    assert whole(" a\r\nb \n", 3, "The reason") == "a\nb"


def test_a_longer_one_is_refused():
    with pytest.raises(TextTooLong, match=r"^The reason has 1,201 characters; at most 1,200 can"):
        whole("x" * 1201, 1200, "The reason")


def test_what_no_database_stores_is_left_out():
    """A note arrives as JSON, which can name any character."""
    assert whole("a\0b\x1bc\r\nd e\u0301", 9, "The note") == "abc\nd \u00e9"
