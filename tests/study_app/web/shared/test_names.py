"""Long names on pages."""

import pytest

from study_app.web.shared.names import wrapping


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("chair", "chair"),
        ("01_wooden_chair.png", "01_<wbr>wooden_<wbr>chair.<wbr>png"),
        # A mark at an end is no place to break, and stays with its word.
        ("_a_", "_a_"),
        ("<b>_a & 'b'", "&lt;b&gt;_a &amp; &#39;b&#39;"),
        ("い_ろ", "い_<wbr>ろ"),
    ],
)
def test_a_name_may_break_after_its_marks(name, shown):
    assert str(wrapping(name)) == shown
