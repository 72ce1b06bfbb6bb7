"""Importing sketches by drop, by folder and by keyboard; the page of an import can be left."""

import base64
import re

import pytest
from PIL import Image, ImageDraw
from playwright.sync_api import expect

from tests.browser.page_checks import accessible, fits, lose_connection
from tests.study_app.stimuli.importing.pictures_made import line, png, saved, zipped

pytestmark = pytest.mark.browser

DROP = """([files]) => {
  const transfer = new DataTransfer();
  for (const [name, content] of files) {
    const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
    transfer.items.add(new File([bytes], name));
  }
  for (const kind of ["dragenter", "dragover", "drop"]) {
    const options = { dataTransfer: transfer, bubbles: true, cancelable: true };
    document.querySelector("#drop").dispatchEvent(new DragEvent(kind, options));
  }
}"""


@pytest.fixture
def sketches(researcher):
    """The Sketches page of a fresh study."""
    page = researcher
    page.get_by_label("Name").fill("Sketches of chairs")
    page.get_by_role("button", name="Create study").click()
    page.wait_for_url("**/sketches/")
    return page


def drop(page, files):
    """Drop files of these names."""
    encoded = [[name, base64.b64encode(content).decode()] for name, content in files.items()]
    page.evaluate(DROP, [encoded])


def test_files_chosen_before_the_scripts_are_loaded_are_shown(sketches, tmp_path):
    page, held, path = sketches, [], tmp_path / "s.png"
    path.write_bytes(png(1))
    page.route("**/stimuli/import.js*", lambda route: held.append(route))
    page.reload(wait_until="commit")
    page.locator("#files").set_input_files(path)
    held.pop().continue_()
    expect(page.locator("#chosen")).to_contain_text("1 file")


def test_files_are_dropped_imported_and_enlarged(sketches):
    page = sketches
    accessible(page)
    drop(
        page, {f"s{n}.png": png(n) for n in range(1, 13)} | {"notes.txt": b"hello", "a" * 120: b""}
    )
    expect(page.locator("#chosen")).to_contain_text("14 files")
    page.get_by_label("Name of the set").fill("chairs")
    accessible(page)
    page.get_by_role("button", name="Import 14 files").click()
    expect(page.get_by_text("12 imported, 2 refused.")).to_be_visible()
    expect(page.get_by_role("cell", name="notes.txt")).to_be_visible()
    for width in (320, 1280):
        page.set_viewport_size({"width": width, "height": 844})
        for reason in page.get_by_role("cell", name="is not a picture").all():
            place = reason.bounding_box()
            assert place["x"] + place["width"] <= width and place["height"] < 160
    accessible(page)
    page.get_by_role("link", name="chairs 12 imported").click()
    expect(page.locator("#gallery img")).to_have_count(12)
    shown = page.locator("#gallery img")
    shown.evaluate_all("(all) => Promise.all(all.map((image) => image.decode()))")
    accessible(page)
    page.locator("#gallery a").first.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("1 of 12 · s1")).to_be_visible()
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_text("12 of 12 · s12")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#gallery a").last).to_be_focused()


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_files_are_imported_into_one_set_with_white_lines(sketches, width):
    page = sketches
    page.set_viewport_size({"width": width, "height": 844})
    blank = Image.new("RGBA", (120, 90), (0, 0, 0, 0))
    drawn = blank.copy()
    ImageDraw.Draw(drawn).line((10, 10, 100, 70), fill=(255, 255, 255, 255), width=4)
    drop(page, {"blank.png": saved(blank, "PNG"), "drawn.png": saved(drawn, "PNG")})
    expect(page.locator("#chosen")).to_contain_text("2 files")
    expect(page.get_by_label("one set", exact=True)).to_be_checked()
    for only_folders in ("one set for each folder", "a ranking task"):
        expect(page.get_by_label(only_folders)).to_be_hidden()
    page.get_by_label("Name of the set").fill("white")
    fits(page)
    page.keyboard.press("Enter")
    expect(page.get_by_text("2 imported.")).to_be_visible()
    row = page.get_by_role("row").filter(has_text="drawn")
    expect(row).to_contain_text("its lines are as light as the background")
    expect(page.get_by_role("row").filter(has_text="blank.png")).to_contain_text("is blank")
    fits(page)


def test_a_folder_of_folders_becomes_sets(sketches, tmp_path):
    page = sketches
    for name, number in (("chairs", 3), ("cars", 2)):
        (tmp_path / "all" / name).mkdir(parents=True)
        for n in range(number):
            (tmp_path / "all" / name / f"{n}.png").write_bytes(png(n + 10 * number))
    (tmp_path / "all" / ".DS_Store").write_bytes(b"x")
    page.locator("#folder").set_input_files(tmp_path / "all")
    expect(page.locator("#chosen")).to_contain_text("5 files")
    expect(page.get_by_label("one set for each folder")).to_be_checked()
    expect(page.locator("#folders")).to_have_text("cars, chairs")
    page.get_by_role("button", name="Import 5 files").click()
    expect(page.get_by_text("5 imported.")).to_be_visible()
    page.get_by_role("link", name="All pictures").click()
    expect(page.locator(".sets li")).to_have_count(2)
    expect(page.locator(".steps .here .state")).to_have_text("5")


def test_a_real_folder_is_dropped(sketches, tmp_path):
    page = sketches
    # a browser lists a folder a hundred names at a time
    for name, number in (("chairs", 130), ("cars/old", 2)):
        (tmp_path / "all" / name).mkdir(parents=True)
        for n in range(number):
            (tmp_path / "all" / name / f"{n}.png").write_bytes(png(n + 150 * (number == 2)))
    (tmp_path / "all" / ".DS_Store").write_bytes(b"x")
    box = page.locator("#drop").bounding_box()
    place = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    dragged = {"items": [], "files": [str(tmp_path / "all")], "dragOperationsMask": 1}
    browser = page.context.new_cdp_session(page)
    for kind in ("dragEnter", "dragOver", "drop"):
        browser.send("Input.dispatchDragEvent", {"type": kind, **place, "data": dragged})
    expect(page.locator("#chosen")).to_contain_text("132 files")
    expect(page.locator("#folders")).to_have_text("chairs, old")
    page.get_by_role("button", name="Import 132 files").click()
    expect(page.get_by_text("132 imported.")).to_be_visible()
    expect(page.get_by_role("link", name="chairs 130 imported")).to_be_visible()
    expect(page.get_by_role("link", name="old 2 imported")).to_be_visible()


def test_folders_of_an_archive_become_sets_unless_one_set_is_chosen(sketches):
    page = sketches
    drop(page, {"all.zip": zipped({"chairs/a.png": png(1), "cars/b.png": png(2)})})
    expect(page.get_by_label("one set for each folder")).to_be_checked()
    page.get_by_role("button", name="Import 1 file").click()
    expect(page.get_by_role("link", name="cars 1 imported")).to_be_visible()
    expect(page.get_by_role("link", name="chairs 1 imported")).to_be_visible()


def test_an_import_continues_when_its_page_is_left(sketches, tmp_path, served):
    page = sketches
    path = tmp_path / "birds.ndjson"
    strokes = ([[0, n % 255, 255], [5, 200, n // 9]] for n in range(150))
    path.write_bytes(b"".join(line(f"k{n}", stroke) for n, stroke in enumerate(strokes)))
    page.locator("#files").set_input_files(path)
    page.get_by_role("button", name="Import 1 file").click()
    page.wait_for_url("**/imports/*")
    report = page.url
    page.goto(re.sub("imports/.*", "", report))
    # The page leads back to it; where the import has ended by now, its report is a link away.
    ended = page.get_by_role("link", name="Last import")
    if ended.count():
        ended.click()
    page.wait_for_url(report)
    expect(page.get_by_text("150 imported.")).to_be_visible()


def test_large_files_are_uploaded_in_pieces(sketches, tmp_path):
    page = sketches
    filler = bytes(range(256)) * 40_000
    path = tmp_path / "birds.zip"
    path.write_bytes(zipped({"a.png": png(1), "pad.bin": filler}, packed=False))
    sizes = []
    page.on("request", lambda r: sizes.append(r.url) if r.url.endswith("/pieces") else None)
    page.locator("#files").set_input_files(path)
    page.get_by_label("one set", exact=True).check()
    page.get_by_role("button", name="Import 1 file").click()
    expect(page.get_by_text("1 imported, 1 refused.")).to_be_visible()
    assert len(sizes) == 2


def test_a_lost_connection_is_reported_and_nothing_is_lost(sketches):
    page = sketches
    drop(page, {"a.png": png(1)})
    page.get_by_label("Name of the set").fill("chairs")
    lose_connection(page)
    page.get_by_role("button", name="Import 1 file").click()
    expect(page.get_by_role("alert")).to_contain_text("connection was lost")
    page.context.set_offline(False)
    page.get_by_role("button", name="Import 1 file").click()
    expect(page.get_by_text("1 imported.")).to_be_visible()


def test_importing_and_removing_by_keyboard(sketches, tmp_path):
    page = sketches
    (tmp_path / "a.png").write_bytes(png(1))
    page.locator("#files").focus()
    expect(page.locator("#files")).to_be_focused()
    with page.expect_file_chooser() as chooser:
        page.keyboard.press("Enter")
    chooser.value.set_files(tmp_path / "a.png")
    expect(page.get_by_role("button", name="Import 1 file")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    page.get_by_label("Name of the set").focus()
    page.keyboard.type("chairs")
    page.keyboard.press("Enter")
    expect(page.get_by_text("1 imported.")).to_be_visible()
    page.get_by_role("link", name="chairs 1 imported").focus()
    page.keyboard.press("Enter")
    page.get_by_text("Rename or remove this set").focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Remove 1 picture").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Set 'chairs' deleted.")).to_be_visible()


def test_nothing_scrolls_sideways_on_a_phone(sketches):
    page = sketches
    page.set_viewport_size({"width": 390, "height": 844})
    drop(page, {"a-very-long-name-" * 8 + ".png": png(1)})
    for _ in range(2):
        fits(page)
        page.get_by_label("Name of the set").fill("chairs" * 15)


def test_selected_pictures_are_reviewed_and_removed_and_then_the_study(sketches):
    page = sketches
    drop(page, {f"s{n}.png": png(n) for n in range(1, 9)})
    page.get_by_label("Name of the set").fill("chairs")
    page.get_by_role("button", name="Import 8 files").click()
    page.get_by_role("link", name="chairs 8 imported").click()
    page.get_by_role("button", name="Select").click()
    expect(page.get_by_label("Select s1", exact=True)).to_be_focused()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    page.locator(".pick").nth(4).click(modifiers=["Shift"])
    expect(page.get_by_text("4 pictures selected")).to_be_visible()
    page.locator("#gallery img").evaluate_all(
        "(all) => Promise.all(all.map((image) => image.decode()))"
    )
    accessible(page)
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Select")).to_be_focused()
    page.get_by_role("button", name="Select").click()
    page.locator(".pick").nth(1).click()
    page.locator(".pick").nth(6).click()
    page.get_by_role("button", name="Remove 2…").click()
    expect(page.get_by_role("heading", name="Remove 2 pictures of chairs?")).to_be_visible()
    accessible(page)
    page.get_by_role("button", name="Remove 2 pictures").click()
    expect(page.get_by_text("2 pictures removed.")).to_be_visible()
    expect(page.locator(".card-number")).to_have_text(["1", "3", "4", "5", "6", "8"])
    page.get_by_role("link", name="Sketches of chairs").click()
    page.get_by_text("Name, lab and methods").click()
    page.get_by_role("link", name="Delete this study…").click()
    expect(page.get_by_text("6 pictures", exact=True)).to_be_visible()
    accessible(page)
    page.get_by_label("Type the name").fill("Sketches of chairs")
    page.get_by_role("button", name="Delete this study").click()
    expect(page.get_by_text("Study 'Sketches of chairs' deleted.")).to_be_visible()
