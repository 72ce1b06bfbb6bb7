"""A whole sorting study in the browser, each step with the files of the previous one.

Every step is looked at on a laptop and on a phone: set SKETCH_STUDY_SCREENSHOTS to a folder to keep
the pictures.
"""

import csv
import os
import zipfile
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from playwright.sync_api import expect

from printables.cards.manifest import read_manifest
from study_app.cli import cli
from study_app.simulation.demo.tables import cut_cards, photograph
from tests.browser.test_stimuli import drop
from tests.study_app.stimuli.importing.pictures_made import zipped

pytestmark = pytest.mark.browser

CARDS = 10
LOST = 10
# Real sketches, with the number of each category.
KINDS = {"chair": 4, "dog": 3, "heart": 3}
# The groups on the tables of the two assessors, by card number.
TABLES = {
    "T001": [[1, 2, 3, 4], [5, 6, 7], [8, 9]],
    "T002": [[1, 2, 3], [4, 5, 6, 7], [8, 9]],
}
# A system that groups by kind as P01 did. P02 ends with {1 2 3} {4 5 6 7 9} {8}; to P02 precision
# is (3 * .75 + .25 + 3 + .5 + .5) / 9 and recall (3 + .2 + 3 * .6 + 1 + .2) / 9.
PRECISION, RECALL = 6.5 / 9, 6.2 / 9
SYSTEM_F = (1 + 2 * PRECISION * RECALL / (PRECISION + RECALL)) / 2
# Whether every visible picture is loaded.
PICTURES_THERE = """() => [...document.images].every((image) => {
  const { top, bottom, width } = image.getBoundingClientRect();
  if (!image.checkVisibility()) return true;
  return !width || !image.src || bottom < 0 || top > innerHeight || image.complete;
})"""
# Whether the strip of steps shows the current one, on any screen.
STATION_IN_SIGHT = """() => {
  const here = document.querySelector(".steps .here")?.getBoundingClientRect();
  return !here || (here.left > -1 && here.right < innerWidth + 1);
}"""
SIZES = {"laptop": (1280, 800), "phone": (390, 844)}


class Album:
    """Pictures of a page at every step, numbered, on a laptop and on a phone."""

    def __init__(self, page, folder):
        self.page, self.folder, self.taken = page, folder, 0

    def take(self, name):
        """Take a screenshot of the page; it must not scroll sideways on any screen."""
        self.taken += 1
        for screen, (width, height) in reversed(SIZES.items()):
            self.page.set_viewport_size({"width": width, "height": height})
            self.page.wait_for_function(PICTURES_THERE)
            self.page.wait_for_function(STATION_IN_SIGHT)
            self.page.screenshot(path=self.folder / f"{self.taken:02d}-{name}-{screen}.png")
            wide = self.page.evaluate("document.documentElement.scrollWidth")
            assert wide <= width, f"{name} scrolls sideways on a {screen}"


@pytest.fixture
def study(researcher):
    """A fresh study, at its page of sketches."""
    researcher.get_by_label("Name").fill("Chairs, dogs and hearts")
    researcher.get_by_role("button", name="Create study").click()
    researcher.wait_for_url("**/sketches/")
    return researcher


@pytest.fixture
def album(study, tmp_path):
    """Where pictures of the steps go."""
    folder = Path(os.environ.get("SKETCH_STUDY_SCREENSHOTS") or tmp_path / "screenshots")
    folder.mkdir(parents=True, exist_ok=True)
    return Album(study, folder)


@pytest.fixture
def sketches(shared_data):
    """Ten real sketches in an archive, and their names by card number from 1."""
    files = {}
    for kind, count in KINDS.items():
        found = sorted((shared_data / "sketches" / "png512_8x30" / kind).glob("*.png"))
        files |= {f"{kind}{n}": path.read_bytes() for n, path in enumerate(found[:count], 1)}
    archive = zipped({f"sketches/{name}.png": content for name, content in files.items()})
    return archive, [None, *files]


def go(page, step):
    """To a step, by the strip at the top of the page."""
    page.locator(".steps").get_by_role("link", name=step).click()


def import_dropped(page, archive):
    drop(page, {"sketches.zip": archive})
    page.get_by_role("button", name="Import 1 file").click()
    expect(page.get_by_text(f"{CARDS} imported.")).to_be_visible()


def fetched(page, link, path):
    """The file behind a link."""
    with page.expect_download() as download:
        link.click()
    download.value.save_as(path)
    return path


def print_and_download(page, folder):
    """The printed cards by card number, each cut from the PDF."""
    go(page, "Cards")
    expect(page.locator("#sentence")).to_have_text(f"{CARDS} cards on 1 page")
    page.get_by_role("button", name="Create PDF").click()
    pdf = fetched(page, page.get_by_role("link", name="Download the PDF"), folder / "cards.pdf")
    manifest = page.get_by_role("link", name="Download the manifest")
    rows = read_manifest(fetched(page, manifest, folder / "cards.csv"))
    faces = cut_cards(pdf, rows)
    return {row.card: faces[row.stimulus] for row in rows}


def plan(page):
    go(page, "Sittings")
    page.get_by_label("Assessors, one per line").fill("P01\nP02, 20-29, f")
    page.get_by_role("button", name="Plan sittings").click()
    expect(page.get_by_text("2 sittings planned.")).to_be_visible()


def photograph_table(page, code, cards, folder, album):
    """Sort, take a photo, and confirm its groups."""
    go(page, "Sittings")
    page.get_by_role("link", name=f"Open {code}").click()
    page.get_by_role("button", name="Start sorting").click()
    page.get_by_role("button", name="Stop and record").click()
    photo = folder / f"{code}.jpg"
    photo.write_bytes(photograph(TABLES[code], cards, np.random.default_rng(1)))
    page.locator("#photo-table").set_input_files(photo)
    expect(page.locator("#proposal .sum")).to_contain_text("9 of 10 cards in 3 groups")
    album.take(f"photo-{code}")
    page.get_by_role("button", name="Confirm 3 groups").click()
    expect(page.locator("#count")).to_have_text(f"9 of {CARDS}")


def group_of(page, card):
    """The group in which a card is shown."""
    return page.locator(f".group:has(button[aria-label^='Card {card},'])")


def correct_by_tap(page, card, beside):
    """Move a card into the group of another."""
    number = group_of(page, beside).locator(".badge").inner_text()
    group_of(page, card).locator(f"button[aria-label^='Card {card},']").click()
    bar = page.get_by_role("toolbar", name="Chosen cards")
    bar.get_by_role("button", name=f"Move to group {number}", exact=True).click()
    expect(group_of(page, card).locator(".badge")).to_have_text(number)


def finish_without_the_lost_card(page, code):
    expect(page.locator("#saved")).to_have_text("· saved")
    page.get_by_role("button", name="Finish sitting").click()
    page.get_by_label("Why is it missing?").fill("lost")
    page.locator("#finish-dialog").get_by_role("button", name="Finish sitting").click()
    page.wait_for_url(f"**/sittings/{code}")


def matrix_in(path):
    """Names and values of a matrix with its names as header and first column."""
    with path.open(encoding="utf-8", newline="") as file:
        (_corner, *names), *rows = csv.reader(file)
    assert names == [row[0] for row in rows]
    return names, np.array([[float(cell or "nan") for cell in row[1:]] for row in rows])


def export(page, folder):
    """The study as its export page gives it, unpacked."""
    page.get_by_role("button", name="Export the study").click()
    link = page.get_by_role("link", name="Download ZIP")
    with zipfile.ZipFile(fetched(page, link, folder / "export.zip")) as archive:
        archive.extractall(folder / "export")
    return folder / "export"


def by_kind(names, path):
    """The file of a system that groups the sketches by their kind."""
    rows = [f"{name},{name.rstrip('0123456789')}" for name in names[1:]]
    path.write_text("\n".join(["stimulus_id,group_id", *rows, ""]), encoding="utf-8")
    return path


def submit(page, path):
    go(page, "Systems")
    page.get_by_label("Result files").set_input_files(path)
    page.get_by_label("neither: the file has groups").check()
    page.get_by_role("button", name="Add system").click()
    expect(page.get_by_text("1 system added.")).to_be_visible()


def measured_by_command(export_folder, clustering, out):
    """The row that `evaluate clustering` writes of a system, from the groupings of an export."""
    truth = next(export_folder.rglob("derived/groupings.csv"))
    asked = ["evaluate", "clustering", "--truth", str(truth), str(clustering), "--out", str(out)]
    assert CliRunner().invoke(cli, asked, catch_exceptions=False).exit_code == 0
    with (out / "systems.csv").open(encoding="utf-8", newline="") as file:
        (row,) = csv.DictReader(file)
    return row


def test_from_real_sketches_to_a_measured_system(study, album, sketches, tmp_path):
    page = study
    archive, names = sketches
    import_dropped(page, archive)
    album.take("imported")
    cards = print_and_download(page, tmp_path)
    album.take("cards")
    plan(page)
    for code in TABLES:
        photograph_table(page, code, cards, tmp_path, album)
        if code == "T002":
            correct_by_tap(page, 9, beside=5)
        album.take(f"recorded-{code}")
        finish_without_the_lost_card(page, code)
    album.take("finished")
    go(page, "Gold standard")
    expect(page.locator("canvas[data-painted=true]")).to_be_attached()
    album.take("gold")
    link = page.get_by_role("link", name="similarity.csv")
    shown, similarity = matrix_in(fetched(page, link, tmp_path / "similarity.csv"))
    assert shown == names[1:LOST]  # nobody placed the lost card
    one, four, nine = 0, 3, 8
    assert similarity[one, 1] == 1.0
    assert similarity[one, four] == similarity[four, 4] == 0.5
    assert similarity[nine, 7] == similarity[nine, 4] == 0.5
    assert similarity[one, nine] == 0.0
    exported = export(page, tmp_path)
    album.take("exported")
    again, of_export = matrix_in(next(exported.rglob("set-sketches/similarity.csv")))
    assert again == shown and np.array_equal(of_export, similarity)
    system = by_kind(names, tmp_path / "kinds.csv")
    submit(page, system)
    album.take("systems")
    row = page.locator("section[aria-labelledby=F] tbody tr")
    expect(row.get_by_role("cell").nth(1)).to_contain_text(f"{SYSTEM_F:.2f}".lstrip("0"))
    measured = measured_by_command(exported, system, tmp_path / "evaluation")
    assert float(measured["f"]) == pytest.approx(SYSTEM_F, abs=1e-12)
