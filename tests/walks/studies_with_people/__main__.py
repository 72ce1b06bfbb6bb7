"""Walk both studies.

    python -m tests.walks.studies_with_people --out FOLDER [--people 200] [--only table|people|...]

Makes an installation, serves it, lets 200 participants come over HTTP, visits every ending and the
pages at a table in Chromium in English and in Arabic, and opens the researcher's pages, all at 1280
and 390 px.
Each page is checked with axe (WCAG 2.2 AA) and must not scroll sideways. Screenshots are in FOLDER;
what is wrong is printed, and the exit code is 1 then.
"""

import argparse
import signal
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import expect, sync_playwright

from study_app import create_app
from study_app.core.config import Settings
from study_app.core.database import close, opened, writing
from study_app.studies import studies
from tests.browser.conftest import CHROMIUM, CHROMIUM_OPTIONS, sign_in
from tests.browser.page_checks import PATIENCE_MS
from tests.served import Served
from tests.walks.looking import Looking
from tests.walks.studies_with_people import participants, platform_study, researcher, table_study

LANGUAGES = ("en", "ar")
PARTS = ("participants", "table", "platform", "empty")


def main() -> int:
    """Walk, print the faults, and return their number."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, required=True, help="Folder for screenshots.")
    parser.add_argument("--people", type=int, default=200, help="Participants of the platform.")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS)
    chosen = parser.parse_args()
    chosen.out.mkdir(parents=True, exist_ok=True)
    # Interrupted by a time limit, it still ends its server and its browser.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("interrupted"))
    expect.set_options(timeout=PATIENCE_MS)
    with tempfile.TemporaryDirectory() as folder:
        faults = _walk(Path(folder), chosen)
    print(f"{len(faults)} faults; screenshots are in {chosen.out}")
    return bool(faults)


def _walk(folder: Path, chosen: argparse.Namespace) -> list[str]:
    settings = Settings.of(folder / "instance")
    app = create_app(settings)
    server = Served(folder / "instance")
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_OPTIONS)
            try:
                return _both(app, server, browser, folder, chosen)
            finally:
                browser.close()
    finally:
        server.kill()
        close(app)


def _both(app, server, browser, folder, chosen) -> list[str]:
    page = browser.new_page()
    page.set_default_timeout(PATIENCE_MS)
    looking = Looking(page, chosen.out)
    sign_in(page, server)
    studies_at = f"{server.address}/studies"
    task_id = platform_study.make(app, folder)
    if "participants" in chosen.only or "platform" in chosen.only:
        _timed(
            "crowd",
            lambda: platform_study.simulate_participants(
                app, task_id, server.address, chosen.people
            ),
        )
        print(f"stand out: {platform_study.flagged_people(app, task_id)}")
    if "participants" in chosen.only:
        in_parts = platform_study.make_in_parts(app, folder)
        for_laptops = platform_study.make_for_laptops(app, folder)
        for language in LANGUAGES:
            visits = participants.Visits(
                app, browser, server.address, task_id, language, _another(looking)
            )
            _timed(f"every ending, {language}", visits.walk)
            visits.walk_parts(in_parts)
            visits.walk_device(for_laptops)
    if "platform" in chosen.only:
        _timed("platform", lambda: researcher.walk_platform(looking, f"{studies_at}/1", task_id))
    if "table" in chosen.only:
        with opened(app):
            number = table_study.make(app.config["SETTINGS"], folder)
        _timed("table", lambda: researcher.walk_table(looking, f"{studies_at}/{number}"))
        signed_in = page.context.storage_state()
        for language in LANGUAGES:
            context = browser.new_context(locale=language, storage_state=signed_in)
            at_table = _another(looking)(context.new_page())
            researcher.walk_tablet(at_table, f"{studies_at}/{number}/sittings", language)
            context.close()
    if "empty" in chosen.only:
        with opened(app), writing() as session:
            number = studies.make(session, "Nothing yet").id
        researcher.walk_empty(looking, f"{studies_at}/{number}")
    print(f"{len(set(looking.seen))} screenshots")
    return looking.faults


def _another(looking: Looking):
    """Looks at further pages, with the same lists."""

    def look_at(page):
        another = Looking(page, looking.folder)
        another.faults, another.seen = looking.faults, looking.seen
        return another

    return look_at


def _timed(what, step):
    began = time.perf_counter()
    step()
    print(f"{what}: {time.perf_counter() - began:.0f} s", flush=True)


if __name__ == "__main__":
    sys.exit(main())
