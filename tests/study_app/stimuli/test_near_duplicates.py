"""Nearly the same pictures are found, and different ones of one kind are not."""

import io

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFilter

from study_app.stimuli import near_duplicates
from study_app.stimuli.importing.run import ImportChoice, import_paths
from study_app.stimuli.near_duplicates import alike_pairs, reduced
from tests.conftest import PROJECT

DATA = PROJECT.parent / "shared" / "data" / "sketches" / "png512_8x30"


def _house(width=3):
    picture = Image.new("RGB", (300, 300), "white")
    draw = ImageDraw.Draw(picture)
    draw.rectangle((60, 140, 240, 270), outline="black", width=width)
    draw.line([(60, 140), (150, 50), (240, 140)], fill="black", width=width)
    return picture


def _jpeg(picture):
    kept = io.BytesIO()
    picture.save(kept, "JPEG", quality=60)
    return Image.open(io.BytesIO(kept.getvalue()))


def _moved(picture):
    larger = Image.new("RGB", (400, 360), "white")
    larger.paste(picture, (90, 10))
    return larger


@pytest.mark.parametrize(
    "copied", [_jpeg, _moved, lambda p: p.resize((120, 120)), lambda _: _house(5)]
)
def test_a_copy_is_a_near_duplicate(copied):
    assert alike_pairs([reduced(_house()), reduced(copied(_house()))]) == [(0, 1)]


def test_other_drawings_and_blank_pictures_are_no_near_duplicates():
    other = _house()
    ImageDraw.Draw(other).ellipse((100, 160, 200, 260), outline="black", width=3)
    blank = Image.new("L", (300, 300), 255)
    shown = [_house(), other.rotate(90), blank, blank]
    assert alike_pairs([reduced(one) for one in shown]) == []
    assert alike_pairs([reduced(blank)]) == [] and not reduced(blank).any()
    assert np.linalg.norm(reduced(other)) == pytest.approx(1)


@pytest.mark.slow
@pytest.mark.skipif(not DATA.is_dir(), reason="the real sketches are not beside the checkout")
def test_real_sketches_of_one_category_are_no_near_duplicates():
    for folder in sorted(DATA.iterdir()):
        shown = [Image.open(file) for file in sorted(folder.glob("*.png"))]
        values = [reduced(one.convert("L")) for one in shown]
        assert alike_pairs(values) == []
        softer = reduced(shown[3].convert("L").filter(ImageFilter.GaussianBlur(1)))
        assert alike_pairs([*values, softer]) == [(3, len(values))]


def test_the_pairs_of_a_set_are_shown_side_by_side(app, client, study_id, tmp_path, monkeypatch):
    for name, picture in (("a", _house()), ("b", _moved(_house())), ("c", _house().rotate(90))):
        picture.save(tmp_path / f"{name}.png")
    with app.app_context():
        settings = app.config["SETTINGS"]
        import_paths(settings, ImportChoice(study_id, "houses"), [tmp_path / "a.png"])
        import_paths(settings, ImportChoice(study_id, "houses"), sorted(tmp_path.glob("*.png")))
        from study_app.core.database import db

        (pair,) = near_duplicates.near_duplicates(db.session(), settings, 1)
        assert (pair.first.name, pair.second.name) == ("a", "b")
        second = pair.second.id
    page = client.get(f"/studies/{study_id}/sketches/sets/1/alike").text
    assert "1 pair of near-duplicates" in page and page.count("/pictures/") == 2
    asked = client.post(f"/studies/{study_id}/sketches/sets/1/removal", {"stimulus": [second]})
    assert "Remove 1 picture of houses?" in asked.text
    # A pair that was kept is shown again only on request.
    address = f"/studies/{study_id}/sketches/sets/1/alike"
    for kept in ("0-0", "1", f"{second}-99999", pair.key):
        assert page.count("Keep both: a and b") == 1
        page = client.post(address, {"pair": kept}, follow_redirects=True).text
    assert "No other near-duplicates in this set" in page
    page = client.post(address, {"again": "yes"}, follow_redirects=True).text
    assert page.count("Keep both: a and b") == 1 and "are compared" not in page
    monkeypatch.setattr(near_duplicates, "MOST_COMPARED", 2)
    page = client.get(address).text
    assert "Only the first 2 of 3 pictures are compared." in " ".join(page.split())
