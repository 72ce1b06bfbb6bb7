"""The PDF, checked with independent tools: poppler, qpdf (pikepdf) and zbarimg."""

import json
import os
import subprocess
import sys

import numpy as np
import pikepdf
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from printables.artwork.pictures import Strokes
from printables.cards.card import CardLayout
from printables.sheets.face import header_cards
from printables.sheets.papers import PAPERS
from printables.sheets.pdf import draw_pages
from printables.sheets.sheet import SheetLayout, impose, manifest_rows
from tests.conftest import PROJECT
from tests.printables.drawn_cards import MM, SQUARE, deck_of, drawn, rendered, run, sketch_room
from tests.printables.sheet_layouts import layouts
from tests.system_fonts import CHAIR, make_font


def cut_out(image, row, dpi):
    left, top = row.x_mm * dpi / MM, row.y_mm * dpi / MM
    right, bottom = left + row.width_mm * dpi / MM, top + row.height_mm * dpi / MM
    return image.crop((round(left), round(top), round(right), round(bottom)))


# Half the resolution finds nearly as many errors in a quarter of the time.
DPIS = [150, pytest.param(300, marks=pytest.mark.slow)]
LAYOUTS = {
    "default": SheetLayout(),
    "letter, back": SheetLayout(CardLayout(qr="back"), PAPERS["letter"], offset_mm=(1.0, -0.5)),
    "high, back, short edge": SheetLayout(CardLayout(44, 60, "back"), gutter_mm=3, flip="short"),
    "high, front": SheetLayout(CardLayout(48, 66), gutter_mm=2),
}


def read_by_zbarimg(pdf, pages, dpi, folder):
    """The codes of all cards, and those that zbarimg reads on their pictures cut out of the
    pages."""
    rows, images, paths = manifest_rows(pages), {}, []
    for index, row in enumerate(rows):
        if row.page not in images:
            images[row.page] = rendered(pdf, row.page, dpi, folder)
        paths.append(folder / f"card{index:03d}.png")
        cut_out(images[row.page], row, dpi).save(paths[-1])
    read = run("zbarimg", "--quiet", "--raw", "-S*.disable", "-Sqrcode.enable", *map(str, paths))
    return [row.code for row in rows], read.split()


@pytest.mark.slow
@pytest.mark.parametrize("dpi", DPIS)
@pytest.mark.parametrize("name", LAYOUTS)
def test_zbarimg_reads_every_card(tmp_path, name, dpi):
    pages = impose([deck_of([SQUARE] * 20), header_cards(2)], LAYOUTS[name])
    draw_pages(pages, tmp_path / "cards.pdf")
    printed, read = read_by_zbarimg(tmp_path / "cards.pdf", pages, dpi, tmp_path)
    assert read == printed


@pytest.mark.slow
@settings(max_examples=12)
@given(layouts(), st.booleans())
def test_zbarimg_reads_every_card_of_any_layout(tmp_path_factory, layout, marks):
    folder = tmp_path_factory.mktemp("layout")
    pages = impose([deck_of([SQUARE] * 7)], layout, marks=marks)
    draw_pages(pages, folder / "cards.pdf")
    printed, read = read_by_zbarimg(folder / "cards.pdf", pages, 150, folder)
    assert len(printed) == 7 and read == printed


@pytest.mark.slow
@pytest.mark.parametrize("dpi", DPIS)
def test_cards_with_real_sketches_are_read_and_sketches_are_vectors(tmp_path, shared_data, dpi):
    lines = (shared_data / "sketches/objects_graphcomm/chair.ndjson").read_text().splitlines()
    sketches = [Strokes.from_quickdraw(json.loads(line)["drawing"], 512) for line in lines[:60]]
    pdf, pages = drawn(tmp_path, deck_of(sketches))
    assert len(run("pdfimages", "-list", str(pdf)).splitlines()) == 2  # the table's head only
    image = rendered(pdf, 1, dpi, tmp_path)
    for placed in pages[0].cards:
        ink = np.asarray(sketch_room(image, placed, dpi).convert("L")) < 128
        assert 0.002 < ink.mean() < 0.5
    printed, read = read_by_zbarimg(pdf, pages, dpi, tmp_path)
    assert read == printed


@pytest.mark.slow
def test_the_same_pages_give_the_same_bytes(tmp_path):
    Image.new("L", (30, 20), 200).save(tmp_path / "grey.png")
    program = (
        "import sys; from pathlib import Path; from tests.printables import drawn_cards as t;"
        "folder = Path(sys.argv[1]); out = folder / sys.argv[2]; out.mkdir();"
        "t.drawn(out, t.deck_of([folder / 'grey.png', t.SQUARE], 'Stühle'), calibration=True)"
    )
    for seed in ("1", "2"):
        command = [sys.executable, "-c", program, str(tmp_path), seed]
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        subprocess.run(command, check=True, env=environment, cwd=PROJECT)
    first, second = (tmp_path / seed / "cards.pdf" for seed in ("1", "2"))
    assert first.read_bytes() == second.read_bytes()


def test_qpdf_finds_no_error_and_poppler_finds_the_text(tmp_path):
    name = "Stühle & καρέκλες стулья"
    pdf, _ = drawn(tmp_path, deck_of([SQUARE], name), SheetLayout(CardLayout(qr="back")))
    with pikepdf.open(pdf) as opened:
        assert opened.check_pdf_syntax() == []
        assert opened.Root.ViewerPreferences.PrintScaling == "/None"
    text = run("pdftotext", "-layout", str(pdf), "-")
    assert name in text
    assert "Card 1 · Deck A" in text
    assert "0001 00001 01 1 23" in text


def test_fonts_are_embedded_subsets(tmp_path):
    pdf, _ = drawn(tmp_path, deck_of([SQUARE]))
    for line in run("pdffonts", str(pdf)).splitlines()[2:]:
        assert line.split()[-5:-2] == ["yes", "yes", "yes"]  # embedded, subset, unicode
    assert pdf.stat().st_size < 60_000


def test_a_set_whose_name_no_font_can_show_is_named_by_its_number(tmp_path):
    pdf, _ = drawn(tmp_path, deck_of([SQUARE], "𒀀\x00\n chairs"))
    assert "\nSet 1\n" in run("pdftotext", str(pdf), "-")


def test_a_name_in_arabic_can_be_copied(tmp_path):
    pdf, _ = drawn(tmp_path, deck_of([SQUARE], "كراسي"))
    assert "كراسي" in run("pdftotext", str(pdf), "-")


def test_a_name_in_a_system_font_can_be_copied(tmp_path, installed):
    installed(make_font(tmp_path / "made.ttf", cff=True))
    pdf, _ = drawn(tmp_path, deck_of([SQUARE], f"{CHAIR}{CHAIR} 7"))
    assert f"{CHAIR}{CHAIR} 7" in run("pdftotext", str(pdf), "-")


def test_progress_counts_cards(tmp_path):
    seen = []
    pages = impose([deck_of([SQUARE] * 20)], SheetLayout())
    draw_pages(pages, tmp_path / "a.pdf", progress=lambda done, total: seen.append((done, total)))
    assert seen == [(18, 20), (20, 20)]
