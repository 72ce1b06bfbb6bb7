"""The gold standard and the systems in a real browser: seen, pointed at, downloaded, uploaded."""

import json
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import expect

from study_app import create_app
from study_app.core.config import Settings
from study_app.core.database import db, opened, writing
from study_app.models import StimulusSet
from study_app.stimuli import stimuli
from study_app.stimuli.importing.run import ImportChoice, import_paths
from study_app.studies import studies
from tests.browser.page_checks import fits
from tests.study_app.judged import make_set, sort_set

# A job of a few seconds of processor time, on a busy machine.
JOB_MS = 240_000
NAMES = ["apple", "bear", "cup", "duck"]
SORTED = [[0, 0, 1, 1], [0, 0, 0, 1], [0, 1, 1, 1]]
POINTED = """([row, column]) => {
  const { matrix } = document.querySelector("[data-matrix]");
  return matrix.row === row && matrix.column === column;
}"""
GROUPS = "stimulus_id,group_id\napple,x\nbear,x\ncup,y\nduck,y\n"


@pytest.fixture
def judged(served, tmp_path):
    """A set of four pictures that three people sorted; the address of the study."""
    folder = tmp_path / "letters"
    folder.mkdir()
    for at, name in enumerate(NAMES):
        Image.new("L", (80, 80), 60 * at).save(folder / f"{name}.png")
    settings = Settings.of(served.instance)
    app = create_app(settings)
    with opened(app):
        with writing() as session:
            study_id = studies.make(session, "Letters").id
        import_paths(settings, ImportChoice(study_id, "letters", "skip"), [folder], lambda *_: None)
        with writing() as session:
            sort_set(session, session.query(StimulusSet).one(), SORTED)
        assert len(stimuli.sets_of(db.session, study_id)) == 1
    return f"{served.address}/studies/{study_id}"


def test_the_matrix_describes_every_pair(researcher, judged):
    page = researcher
    page.goto(f"{judged}/gold/")
    canvas = page.locator("canvas[data-painted=true]")
    expect(canvas).to_be_attached()
    square = page.get_by_role("application")
    square.evaluate("element => element.scrollIntoView({ block: 'center' })")
    box = square.bounding_box()
    assert abs(box["width"] - box["height"]) <= 2
    counts = page.locator("#pair-counts")
    expect(counts).to_have_text("2 of 3 put them together.")
    seen = {}
    for row in range(4):
        for column in range(4):
            x = box["x"] + box["width"] * (column + 0.5) / 4
            page.mouse.move(x, box["y"] + box["height"] * (row + 0.5) / 4)
            page.wait_for_function(POINTED, arg=[row, column])
            names = [page.locator(place).inner_text() for place in ("#first-name", "#second-name")]
            pair = frozenset(names)
            seen.setdefault(pair, set()).add(counts.inner_text())
    for pair, words in seen.items():
        if len(pair) == 2:
            a, b = (NAMES.index(name) for name in pair)
            together = sum(row[a] == row[b] for row in SORTED)
            assert words == {f"{together} of 3 put them together."}
    assert len(seen) == 10


def test_the_matrix_by_keyboard_and_on_a_phone(researcher, judged):
    page = researcher
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{judged}/gold/")
    expect(page.locator("canvas[data-painted=true]")).to_be_attached()
    square = page.get_by_role("application")
    square.focus()
    first = page.locator("#second-name").inner_text()
    page.keyboard.press("ArrowRight")
    assert page.locator("#second-name").inner_text() != first
    expect(page.locator("#pair-counts")).to_contain_text("of 3 put them together.")
    box, pair = square.bounding_box(), page.locator(".pair").bounding_box()
    assert box["height"] > 300 and pair["y"] >= box["y"] + box["height"]
    fits(page)


def test_the_matrix_by_touch(chromium, researcher, judged):
    state = researcher.context.storage_state()
    size = {"width": 390, "height": 844}
    context = chromium.new_context(storage_state=state, viewport=size, has_touch=True)
    page = context.new_page()
    page.goto(f"{judged}/gold/")
    expect(page.locator("canvas[data-painted=true]")).to_be_attached()
    box = page.get_by_role("application").bounding_box()
    page.touchscreen.tap(box["x"] + box["width"] * 0.9, box["y"] + box["height"] * 0.1)
    page.wait_for_function(POINTED, arg=[0, 3])
    expect(page.locator("#pair-counts")).to_contain_text("of 3 put them together.")
    context.close()


def test_an_open_page_announces_new_results(researcher, judged, served):
    page = researcher
    page.goto(f"{judged}/gold/")
    expect(page.get_by_text("4 sketches, 3 assessors")).to_be_visible()
    with opened(create_app(Settings.of(served.instance))), writing() as session:
        sort_set(session, session.query(StimulusSet).one(), [[0, 0, 1, 2]], first_code=9)
    page.get_by_role("application").focus()
    page.get_by_role("link", name="Show them").click()
    expect(page.get_by_text("4 sketches, 4 assessors")).to_be_visible()


def test_simulated_judgments_are_marked_on_every_page_and_file(researcher, judged, served):
    page = researcher
    with opened(create_app(Settings.of(served.instance))), writing() as session:
        made = session.query(StimulusSet).one()
        sort_set(session, made, [[0, 0, 1, 2]], first_code=9, simulated=True)
    page.goto(f"{judged}/gold/")
    expect(page.get_by_text("Some of these groupings are simulated")).to_be_visible()
    page.get_by_role("button", name="Prepare files").click()
    with page.expect_download() as waiting:
        page.get_by_role("link", name="similarity.svg").click()
    assert waiting.value.suggested_filename == "letters_simulated_similarity.svg"
    assert "Simulated data" in Path(waiting.value.path()).read_text(encoding="utf-8")
    page.goto(f"{judged}/systems/")
    expect(page.get_by_text("Some of these judgments are simulated")).to_be_visible()


def test_the_gold_standard_is_downloaded(researcher, judged):
    researcher.goto(f"{judged}/gold/")
    with researcher.expect_download() as waiting:
        researcher.get_by_role("link", name="agreement.json").click()
    agreement = json.loads(Path(waiting.value.path()).read_text(encoding="utf-8"))
    assert agreement["participants"] == 3


@pytest.fixture
def large(served):
    """A set of 1,001 pictures that two people sorted; the address of its study."""
    app = create_app(Settings.of(served.instance))
    with opened(app), writing() as session:
        study_id = studies.make(session, "Large").id
        made = make_set(session, study_id, "many", [f"p{at:04}" for at in range(1001)])
        sort_set(session, made, [[at % 7 for at in range(1001)], [at % 6 for at in range(1001)]])
    return f"{served.address}/studies/{study_id}"


def test_files_of_a_large_set_are_prepared_and_its_matrix_is_loaded_in_parts(researcher, large):
    page, parts = researcher, []
    page.on("request", lambda sent: parts.append(sent.url) if "1/matrix" in sent.url else None)
    # The set has no files for its pictures.
    page.route("**/thumbnails/*", lambda route: route.abort())
    page.goto(f"{large}/gold/")
    expect(page.locator("canvas[data-painted=true]")).to_be_attached(timeout=JOB_MS)
    page.get_by_role("application").press("ArrowUp")
    expect(page.locator("#pair-counts")).to_contain_text("of 2 put them together.")
    assert page.evaluate("document.querySelector('[data-matrix]').matrix.stimuli.length") == 1001
    assert len(parts) == 2
    expect(page.get_by_role("link", name="counts.csv")).to_have_count(0)
    page.get_by_role("button", name="Prepare files").click()
    expect(page.get_by_role("link", name="counts.csv")).to_be_visible(timeout=JOB_MS)
    with page.expect_download() as waiting:
        page.get_by_role("link", name="counts.csv").click()
    lines = Path(waiting.value.path()).read_text(encoding="utf-8").splitlines()
    assert lines[1] == "p0000,p0000,2,2" and len(lines) == 1 + 1001 * 1002 / 2
    expect(page.get_by_role("button", name="Prepare files")).to_have_count(0)


def test_a_system_is_uploaded_and_ranked(researcher, judged, tmp_path):
    page = researcher
    page.goto(f"{judged}/systems/")
    expect(page.get_by_text("No systems yet.")).to_be_visible()
    kmeans, noise = tmp_path / "kmeans.csv", tmp_path / "noise.csv"
    kmeans.write_text(GROUPS, encoding="utf-8")
    noise.write_text(GROUPS.replace("bear,x", "bear,y").replace("cup,y", "cup,x"), encoding="utf-8")
    page.get_by_label("Result files").set_input_files([noise, kmeans])
    page.get_by_label("neither: the file has groups").check()
    page.get_by_role("button", name="Add systems").click()
    expect(page.get_by_text("2 systems added.")).to_be_visible()
    rows = page.get_by_role("table").first.get_by_role("rowheader")
    expect(rows).to_have_text(["kmeans", "noise"])
    page.get_by_role("link", name="kmeans").first.click()
    expect(page.get_by_role("heading", name="kmeans")).to_be_visible()
    expect(page.get_by_label("Group 1").locator("img")).to_have_count(2)
    page.get_by_text("Remove", exact=True).click()
    page.get_by_role("button", name="Remove kmeans").click()
    expect(page.get_by_text("System 'kmeans' deleted.")).to_be_visible()


def test_a_long_name_fits_a_phone_and_shows_its_end(researcher, judged, tmp_path):
    page = researcher
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{judged}/systems/")
    long = tmp_path / f"{'resnet50_finetuned_' * 3}v2_190.csv"
    long.write_text(GROUPS, encoding="utf-8")
    page.get_by_label("Result files").set_input_files(long)
    page.get_by_label("neither: the file has groups").check()
    page.get_by_role("button", name="Add systems").click()
    link = page.get_by_role("rowheader").get_by_role("link").first
    expect(link).to_have_text(long.stem)
    end = link.get_by_text("v2_190", exact=True)
    expect(end).to_be_visible()
    fits(page)
    row = page.get_by_role("rowheader").first.bounding_box()
    box = end.bounding_box()
    assert box["x"] + box["width"] <= row["x"] + row["width"]
    link.click()
    expect(page.get_by_role("heading", name=long.stem, level=1)).to_be_visible()
    page.get_by_text("Remove", exact=True).click()
    expect(page.get_by_role("button", name=f"Remove {long.stem}")).to_be_visible()
    fits(page)


def test_an_invalid_file_is_refused_with_its_line(researcher, judged, tmp_path):
    page = researcher
    page.goto(f"{judged}/systems/")
    bad = tmp_path / "bad.csv"
    bad.write_text(GROUPS + "duck,y\n", encoding="utf-8")
    page.get_by_label("Result files").set_input_files(bad)
    page.get_by_label("neither: the file has groups").check()
    page.get_by_role("button", name="Add systems").click()
    expect(page.get_by_text("bad.csv:6: ")).to_be_visible()
