"""Shipped texts are translated; any other is shown unchanged."""

from study_app.core.text import languages


def test_only_shipped_texts_are_translated(app):
    text = languages.translatable("A text of this test alone")
    try:
        assert languages.is_shipped(text) and not languages.is_shipped("Written by a researcher")
        with app.test_request_context():
            assert languages.shipped(text) == text
            assert languages.shipped("%(name)s 100 %") == "%(name)s 100 %"
    finally:
        languages._texts.discard(text)
