"""`sketch-study import` as a user types it."""

import pytest

from tests.study_app.stimuli.importing.pictures_made import png


def test_a_first_study_is_made(typed, tmp_path):
    (tmp_path / "a.png").write_bytes(png(1))
    (tmp_path / "b.txt").write_bytes(b"hello")
    status, out, err = typed("import", "chairs", "a.png", "b.txt")
    assert (status, out) == (0, "chairs: 1 imported, 1 refused.\n")
    assert err == (
        "refused: b.txt is not a picture in a supported format (PNG, JPEG, WebP, GIF, TIFF, BMP "
        "or SVG)\n"
    )


def test_refusals_are_one_line(typed, tmp_path):
    (tmp_path / "b.txt").write_bytes(b"hello")
    for arguments in (("chairs", "b.txt"), ("chairs", "nowhere")):
        status, out, err = typed("import", *arguments)
        assert (status, out, err.count("\n")) == (1, "", 1)
        assert err.startswith("sketch-study: ")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["", "  ", "x" * 121])
def test_a_name_that_no_set_can_have_is_refused_not_cut(typed, tmp_path, name):
    (tmp_path / "a.png").write_bytes(png(1))
    status, out, err = typed("import", name, "a.png")
    assert (status, out) == (1, "")
    assert err == "sketch-study: Give the set a name of 1–120 characters.\n"


def test_wrong_usage(typed):
    assert typed("import", "chairs")[0] == 2
    assert typed("import", "chairs", "a.png", "--limit", "0")[0] == 2


def test_with_several_studies_one_must_be_named(typed, tmp_path):
    (tmp_path / "a.png").write_bytes(png(1))
    assert typed("import", "chairs", "a.png", "--study", "One")[0] == 0
    assert typed("import", "chairs", "a.png", "--study", "Two")[0] == 0
    status, _, err = typed("import", "chairs", "a.png")
    assert status == 1 and "--study" in err


def test_the_help_has_an_example(typed):
    assert "Example: sketch-study import chairs" in typed("import", "--help")[1]
