"""Pictures in the PDF: unchanged pixels, upright, each stored once."""

import io
import shutil

import numpy as np
import pikepdf
import pytest
from PIL import Image, ImageOps

from printables.artwork.pictures import Strokes
from printables.sheets.pdf import draw_pages
from printables.sheets.sheet import SheetLayout, impose
from tests.printables.drawn_cards import (
    COPIED,
    PIXELS,
    SQUARE,
    deck_of,
    drawn,
    rendered,
    run,
    sketch_room,
)


@pytest.mark.parametrize("kind", COPIED)
def test_png_pixels_are_copied_unchanged(tmp_path, kind):
    COPIED[kind].save(tmp_path / "sketch.png")
    pdf, _ = drawn(tmp_path, deck_of([tmp_path / "sketch.png"]))
    run("pdfimages", "-png", str(pdf), str(tmp_path / "out"))
    with Image.open(tmp_path / "out-000.png") as image:
        assert (np.asarray(image.convert("RGB")) == np.asarray(COPIED[kind].convert("RGB"))).all()
    png = (tmp_path / "sketch.png").read_bytes()
    start = png.index(b"IDAT") + 4
    assert png[start : start + 40] in pdf.read_bytes()


def test_a_jpeg_file_is_copied_unchanged(tmp_path):
    Image.fromarray(PIXELS).save(tmp_path / "photo.jpg", quality=70)
    pdf, _ = drawn(tmp_path, deck_of([tmp_path / "photo.jpg"]))
    run("pdfimages", "-j", str(pdf), str(tmp_path / "out"))
    assert (tmp_path / "out-000.jpg").read_bytes() == (tmp_path / "photo.jpg").read_bytes()


@pytest.mark.parametrize("behind", [b"film" * 5000, b"\xff\xd8\xff\xd9", b""])
@pytest.mark.parametrize("progressive", [False, True])
def test_data_that_phones_add_to_a_jpeg_are_removed(tmp_path, behind, progressive):
    photo, thumbnail = io.BytesIO(), io.BytesIO()
    picture = Image.fromarray(PIXELS)
    picture.resize((16, 16)).save(thumbnail, "JPEG")
    # The thumbnail in the file has an end marker, too, which must not end the picture.
    exif = b"Exif\0\0" + thumbnail.getvalue()
    picture.save(photo, "JPEG", quality=70, progressive=progressive, restart_marker_rows=1)
    whole = photo.getvalue()
    whole = whole[:2] + b"\xff\xe2" + (len(exif) + 2).to_bytes(2, "big") + exif + whole[2:]
    (tmp_path / "photo.jpg").write_bytes(whole + behind)
    pdf, _ = drawn(tmp_path, deck_of([tmp_path / "photo.jpg"]))
    run("pdfimages", "-all", str(pdf), str(tmp_path / "out"))
    assert (tmp_path / "out-000.jpg").read_bytes() == photo.getvalue()


@pytest.mark.parametrize("ending", ["jpg", "png"])
def test_the_exif_orientation_is_applied(tmp_path, ending):
    corner = Image.new("RGB", (60, 40), "white")
    corner.paste("black", (0, 0, 20, 10))
    exif, files = Image.Exif(), [tmp_path / f"{turned}.{ending}" for turned in range(1, 9)]
    for exif[0x0112], file in enumerate(files, 1):
        corner.save(file, exif=exif, **{"quality": 95} if ending == "jpg" else {})
    pdf, pages = drawn(tmp_path, deck_of(files))
    page = rendered(pdf, 1, 100, tmp_path)
    for placed, file in zip(pages[0].cards, files, strict=True):
        with Image.open(file) as stored:
            upright = ImageOps.exif_transpose(stored).convert("L")
        room = sketch_room(page, placed, 100).convert("L")
        side = room.width * min(1, room.height / room.width * upright.width / upright.height)
        height = side * upright.height / upright.width
        left, top = (room.width - side) / 2, (room.height - height) / 2
        seen = room.crop((round(left), round(top), round(left + side), round(top + height)))
        expected = np.asarray(upright.resize(seen.size), dtype=float)
        assert np.abs(np.asarray(seen, dtype=float) - expected).mean() < 12, file.name


def test_transparent_pixels_become_white_and_others_are_unchanged(tmp_path):
    glass = np.dstack([PIXELS, np.full(PIXELS.shape[:2], 255, np.uint8)])
    glass[:8, :, 3] = 0
    Image.fromarray(glass).save(tmp_path / "glass.png")
    pdf, _ = drawn(tmp_path, deck_of([tmp_path / "glass.png"]))
    run("pdfimages", "-png", str(pdf), str(tmp_path / "out"))
    with Image.open(tmp_path / "out-000.png") as image:
        seen = np.asarray(image)
    assert (seen[:8] == 255).all()
    assert (seen[8:] == PIXELS[8:]).all()


@pytest.mark.parametrize("ending", ["webp", "gif", "tiff", "bmp"])
def test_other_formats_are_decoded_without_loss(tmp_path, ending):
    options = {"lossless": True} if ending == "webp" else {}
    source = COPIED["palette"] if ending == "gif" else COPIED["colour"]
    source.save(tmp_path / f"sketch.{ending}", **options)
    pdf, _ = drawn(tmp_path, deck_of([tmp_path / f"sketch.{ending}"]))
    run("pdfimages", "-png", str(pdf), str(tmp_path / "out"))
    with Image.open(tmp_path / "out-000.png") as image:
        assert (np.asarray(image.convert("RGB")) == np.asarray(source.convert("RGB"))).all()


def test_a_picture_in_two_decks_is_stored_once(tmp_path):
    COPIED["grey"].save(tmp_path / "a.png")
    shutil.copy(tmp_path / "a.png", tmp_path / "copy.png")
    pictures = [tmp_path / "a.png", tmp_path / "copy.png"]
    pages = impose([deck_of(pictures), deck_of(pictures, deck=2)], SheetLayout())
    draw_pages(pages, tmp_path / "cards.pdf")
    with pikepdf.open(tmp_path / "cards.pdf") as opened:
        images = [o for o in opened.objects if getattr(o, "Subtype", None) == "/Image"]
        assert len(images) == 1


def test_the_sketch_is_centred_with_its_proportions(tmp_path):
    pdf, pages = drawn(tmp_path, deck_of([SQUARE]))
    (placed,) = pages[0].cards
    room = sketch_room(rendered(pdf, 1, 300, tmp_path), placed, 300).convert("L")
    rows, columns = np.nonzero(np.asarray(room) < 128)
    assert np.ptp(rows) == pytest.approx(np.ptp(columns), abs=2)
    # The square is 6 units wide, plus a pen's width of 0.12, and the sketch area shows the canvas
    # of 10 units plus a pen's width.
    assert np.ptp(columns) / room.width == pytest.approx(6.12 / 10.12, abs=0.01)
    assert (rows.min() + rows.max()) / 2 == pytest.approx(room.height / 2, abs=2)


def test_a_tap_of_the_pen_is_a_dot(tmp_path):
    pdf, pages = drawn(tmp_path, deck_of([Strokes((((5.0, 5.0),),), 10.0)]))
    room = sketch_room(rendered(pdf, 1, 300, tmp_path), pages[0].cards[0], 300).convert("L")
    assert (np.asarray(room) < 128).sum() > 10
