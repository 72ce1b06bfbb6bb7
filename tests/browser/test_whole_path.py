"""The whole table path as a lab walks it, in the browser, each step with the files of the last."""

import csv

import numpy as np
import pytest
from PIL import Image, ImageDraw
from playwright.sync_api import expect

from printables.manifest import read_manifest
from study_app.demo.tables import cut_cards, photograph
from tests.browser.test_stimuli import drop
from tests.study_app.importing.pictures_made import saved, zipped

pytestmark = pytest.mark.browser

CARDS = 10
LEFT_OUT = 10
# as the cards lie on the tables of the two assessors, by card number
TABLES = {
    "T001": [[1, 2, 3, 4], [5, 6, 7], [8, 9]],
    "T002": [[1, 2, 3], [4, 5, 6, 7], [8, 9]],
}


def polygon(number):
    """A sketch of its own for every number, as a PNG."""
    sketch = Image.new("L", (200, 200), 255)
    pen = ImageDraw.Draw(sketch)
    pen.regular_polygon(
        (100, 100, 40 + 4 * number), 3 + number % 5, number * 17, outline=0, width=4
    )
    return saved(sketch, "PNG")


@pytest.fixture
def study(researcher):
    """A fresh study, at its page of sketches."""
    researcher.get_by_label("Name").fill("Shapes")
    researcher.get_by_role("button", name="Make study").click()
    researcher.wait_for_url("**/sketches/")
    return researcher


def go(page, station):
    """To a station, by the road at the top of the page."""
    page.locator(".road").get_by_role("link", name=station).click()


def import_dropped(page):
    archive = zipped({f"shapes/{n:02d}.png": polygon(n) for n in range(1, CARDS + 1)})
    drop(page, {"shapes.zip": archive})
    page.get_by_role("button", name="Import 1 file").click()
    expect(page.get_by_text(f"{CARDS} imported.")).to_be_visible()


def print_and_download(page, folder):
    """The printed cards by card number, each cut from the PDF."""
    go(page, "Cards")
    expect(page.locator("#sentence")).to_have_text(f"{CARDS} cards on 1 page")
    page.get_by_role("button", name="Make the PDF").click()
    for name in ("Download the PDF", "Download the manifest"):
        link = page.get_by_role("link", name=name)
        expect(link).to_be_visible()
        with page.expect_download() as download:
            link.click()
        download.value.save_as(folder / download.value.suggested_filename)
    rows = read_manifest(folder / "cards.csv")
    faces = cut_cards(folder / "cards.pdf", rows)
    return {row.card: faces[row.stimulus] for row in rows}


def plan(page):
    go(page, "Sittings")
    page.get_by_label("Assessors, a line each").fill("P01\nP02, 20-29, f")
    page.get_by_role("button", name="Plan sittings").click()
    expect(page.get_by_text("2 sittings planned.")).to_be_visible()


def photograph_table(page, code, cards, folder):
    """Sort, photograph and confirm what the photo shows."""
    go(page, "Sittings")
    page.get_by_role("link", name=f"Open {code}").click()
    page.get_by_role("button", name="Start sorting").click()
    page.get_by_role("button", name="Stop and record").click()
    photo = folder / f"{code}.jpg"
    photo.write_bytes(photograph(TABLES[code], cards, np.random.default_rng(1)))
    page.locator("#photo-table").set_input_files(photo)
    expect(page.locator("#proposal .sum")).to_contain_text("9 cards in 3 groups")
    page.get_by_role("button", name="Confirm 3 groups").click()
    expect(page.locator("#count")).to_have_text(f"9 of {CARDS}")


def pile_of(page, card):
    """The pile in which a card is shown."""
    return page.locator(f".pile:has(button[aria-label^='Card {card},'])")


def correct_by_tap(page, card, beside):
    """Move a card into the group of another."""
    number = pile_of(page, beside).locator(".badge").inner_text()
    pile_of(page, card).locator(f"button[aria-label^='Card {card},']").click()
    bar = page.get_by_role("toolbar", name="Chosen cards")
    bar.get_by_role("button", name=f"Move to group {number}", exact=True).click()
    expect(pile_of(page, card).locator(".badge")).to_have_text(number)


def finish_without_the_lost_card(page, code):
    expect(page.locator("#saved")).to_have_text("· saved")
    page.get_by_role("button", name="Finish sitting").click()
    page.get_by_label("Why are they missing?").fill("lost")
    page.locator("#finish-dialog").get_by_role("button", name="Finish sitting").click()
    page.wait_for_url(f"**/sittings/{code}")


def similarity_downloaded(page, path):
    """The matrix as the page offers it."""
    with page.expect_download() as download:
        page.get_by_role("link", name="similarity.csv").click()
    download.value.save_as(path)
    with path.open(encoding="utf-8", newline="") as file:
        (_corner, *names), *rows = csv.reader(file)
    assert names == [row[0] for row in rows] == sorted(names)
    return np.array([[float(cell or "nan") for cell in row[1:]] for row in rows])


def test_from_a_dropped_archive_to_a_downloaded_matrix(study, tmp_path):
    page = study
    import_dropped(page)
    cards = print_and_download(page, tmp_path)
    plan(page)
    for code in TABLES:
        photograph_table(page, code, cards, tmp_path)
        if code == "T002":
            correct_by_tap(page, 9, beside=5)
        finish_without_the_lost_card(page, code)
    go(page, "Gold standard")
    page.locator("main").get_by_role("link", name="shapes").first.click()
    expect(page.locator("canvas")).to_be_visible()
    similarity = similarity_downloaded(page, tmp_path / "similarity.csv")
    assert similarity.shape == (LEFT_OUT - 1, LEFT_OUT - 1)  # nobody placed the lost card
    one, four, nine = 0, 3, 8
    assert similarity[one, 1] == 1.0
    assert similarity[one, four] == similarity[four, 4] == 0.5
    assert similarity[nine, 7] == similarity[nine, 4] == 0.5
    assert similarity[one, nine] == 0.0
