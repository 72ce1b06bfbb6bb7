"""Recording a table of 300 cards: from a scan to the page, from an act to the answer, and frames.

Three things a conductor waits for, each beside its floor measured in the same run:

- a hand scanner's Enter until the count on the page is painted (real Chromium), beside two empty
  frames of that browser, which is what any change of a page takes;
- an act until its answer (the server's code, no network), beside a transaction that only takes the
  sitting's turn to write, and the size of the answer;
- a frame of the live camera until what it shows is told, beside decoding the same frame alone.
"""

import io
import statistics
import tempfile
import time
from pathlib import Path

import numpy as np
from PIL import Image
from playwright.sync_api import expect, sync_playwright

from printables.reading.symbols.decoding import decode_frame
from study_app import create_app
from study_app.core.config import Settings
from study_app.core.database import close, db, writing
from study_app.sittings import sittings
from study_app.sittings.photos import photo_files
from study_app.sittings.recording import events, recording_page
from study_app.studies import studies
from tests.browser.conftest import CHROMIUM, CHROMIUM_OPTIONS, PASSWORD, Served
from tests.printed_table import plan_sitting, print_set

CARDS, GROUPS = 300, 20
FRAME_CARDS = (1, 4, 12, 30)
FRAME_PX = (1600, 1200)

SCAN = """
async (code) => {
  const painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const count = document.getElementById("count");
  const before = count.textContent;
  const press = (key, code) => document.body.dispatchEvent(
    new KeyboardEvent("keydown", { key, code, bubbles: true }));
  let start = performance.now();
  await painted(); await painted();
  const floor = performance.now() - start;
  start = performance.now();
  for (const digit of code) press(digit, `Digit${digit}`);
  press("Enter", "Enter");
  while (count.textContent === before) await painted();
  return [performance.now() - start, floor];
}
"""


def lay_table(folder):
    """A printed set of 300 and two sittings."""
    app = create_app(Settings.of(folder / "instance"))
    with app.app_context(), writing() as session:
        study_id = studies.make(session, "Bench").id
    printed = print_set(app, study_id, folder, CARDS, headers=GROUPS)
    for assessor in ("P01", "P02"):
        plan_sitting(app, study_id, printed.set_id, assessor)
    return app, printed


def begin(session, code):
    """A sitting that is being recorded."""
    sitting = sittings.find(session, 1, code, lock=True)
    if sitting.state == "planned":
        sittings.begin_recording(session, sitting)
    return sitting


def acts(app):
    """Seconds and bytes of placing each card, and seconds of an empty transaction."""
    times, floors, sizes = [], [], []
    with app.app_context():
        with writing() as session:
            cards = [s.id for s in begin(session, "T001").set.stimuli]
        for at, card in enumerate(cards):
            key = f"group-{at * GROUPS // CARDS}"
            wanted = events.Wanted(f"act-{at}", "place", [(key, [card])], "scanner")
            start = time.perf_counter()
            with writing() as session:
                sitting = sittings.find(session, 1, "T001", lock=True)
                events.record(session, sitting, wanted)
                table = recording_page.table(session, sitting)
            times.append(time.perf_counter() - start)
            sizes.append(len(app.json.dumps(table).encode()))
            start = time.perf_counter()
            with writing() as session:
                sittings.find(session, 1, "T001", lock=True)
            floors.append(time.perf_counter() - start)
        db.session.remove()
    return times, floors, sizes


def frames(app, printed):
    """For each number of cards: cards read, seconds, cards of decoding alone and its seconds."""
    rows = []
    with app.app_context():
        sitting = sittings.find(db.session, 1, "T001")
        for count in FRAME_CARDS:
            scene = printed.photo([list(range(1, count + 1))], count, 2.0)
            picture = Image.open(io.BytesIO(scene)).convert("L").resize(FRAME_PX)
            sent = io.BytesIO()
            picture.save(sent, "JPEG", quality=85)
            taken, alone = [], []
            for _ in range(7):
                start = time.perf_counter()
                seen = photo_files.read_frame(db.session, sitting, sent.getvalue())
                taken.append(time.perf_counter() - start)
                start = time.perf_counter()
                found = decode_frame(np.array(Image.open(io.BytesIO(sent.getvalue())).convert("L")))
                alone.append(time.perf_counter() - start)
            rows.append((count, len(seen), taken, len(found), alone))
        db.session.remove()
    return rows


def scans(printed, folder):
    """Milliseconds from Enter to the painted count, and of two empty frames, for every card."""
    served = Served(folder / "instance")
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_OPTIONS)
            page = browser.new_page(viewport={"width": 1280, "height": 800})
            page.goto(served.welcome())
            page.get_by_label("Name").fill("Ada")
            page.get_by_label("Password").fill(PASSWORD)
            page.get_by_role("button", name="Create account").click()
            page.wait_for_url(served.address + "/")
            page.goto(f"{served.address}/studies/1/sittings/T002")
            page.get_by_role("button", name="Record without a timer").click()
            expect(page.locator("#count")).to_have_text(f"0 of {CARDS}")
            found = []
            for at, code in enumerate(printed.codes):
                if at and at % (CARDS // GROUPS) == 0:
                    page.keyboard.press("n")
                found.append(page.evaluate(SCAN, code))
            expect(page.locator("#saved")).to_have_text("· saved")
            browser.close()
    finally:
        served.kill()
    return [list(column) for column in zip(*found, strict=True)]


def line(name, values, floor_name, floors, more=""):
    """One row: median and 95th percentile in ms, the floor's median, and their ratio."""
    middle, floor = statistics.median(values), statistics.median(floors)
    high = sorted(values)[int(0.95 * len(values))]
    print(
        f"{name:<34} {middle:8.1f} {high:8.1f}   {floor_name:<26} {floor:8.1f} "
        f"{middle / floor:6.1f} {more}"
    )


def main():
    """Lay the table, record it in both ways, and print."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        app, printed = lay_table(folder)
        print(f"{'ms':<34} {'median':>8} {'95 %':>8}   {'floor':<26} {'median':>8} {'ratio':>6}")
        times, floors, sizes = acts(app)
        milli = [[1000 * t for t in column] for column in (times, floors)]
        line("act to answer", milli[0], "an empty transaction", milli[1], f"{sizes[-1]} bytes")
        for count, read, taken, found, alone in frames(app, printed):
            taken, alone = ([1000 * t for t in column] for column in (taken, alone))
            note = f"{read} of {count} read, {found} by decoding alone"
            line(f"frame of {count} cards", taken, "decoding alone", alone, note)
        close(app)
        shown, empty = scans(printed, folder)
        line("scan to page", shown, "two empty frames", empty)


if __name__ == "__main__":
    main()
