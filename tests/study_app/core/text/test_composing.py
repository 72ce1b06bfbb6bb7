"""Texts are composed, and not even made-up ones take long."""

import unicodedata

import pytest

from study_app.core.text import composing
from study_app.core.text.composing import MOST_MARKS, composed
from study_app.core.text.lengths import normalised
from study_app.core.text.names import clean_name

# Marks that change places when they are sorted, and Tibetan vowels that hide such marks.
UNSORTED = ["\u0301\u0323", "\u0f73", "\u0f75", "\u0f81", "\u0344\u0323"]


@pytest.mark.parametrize("marks", UNSORTED)
def test_a_letter_of_a_long_text_has_few_marks(marks, monkeypatch):
    asked = []

    def normalize(form, text):
        asked.append(text)
        return normal(form, text)

    normal = unicodedata.normalize
    monkeypatch.setattr(composing.unicodedata, "normalize", normalize)
    text = "a" + marks * 500 + "b" + "c" * 500 + "e\u0301"
    for clean in (composed, normalised, clean_name):
        clean(text)
    assert len(asked) == 3
    assert {len(one) for one in asked} == {1 + MOST_MARKS + 1 + 500 + 2}


def test_other_texts_keep_all_their_characters():
    for text in ("plain " * 400, "Việt Nam ཱི " * 200, "हिन्दी " * 300, "e\u0301\u0323" * 600):
        assert composed(text) == unicodedata.normalize("NFC", text)
    assert composed("a" + "\u0301" * 500) == unicodedata.normalize("NFC", "a" + "\u0301" * 500)
