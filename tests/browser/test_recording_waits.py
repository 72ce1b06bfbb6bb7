"""Acts and photos that wait in a browser, whatever becomes of its tab, storage and sitting."""

import pytest
from playwright.sync_api import expect

from study_app import create_app
from study_app.core.config import Settings
from study_app.core.database import opened, writing
from study_app.models import Sitting
from study_app.sittings.withdrawal import withdraw_sitting
from tests.browser.page_checks import wait_until
from tests.browser.unprinted_table import (
    SCAN,
    code_of,
    event_count,
    make_table,
    open_table,
    rows_of,
)
from tests.study_app.stimuli.importing.pictures_made import png

pytestmark = pytest.mark.browser

CARDS = 6
IS_FULL = """for (const prototype of [Storage.prototype, IDBObjectStore.prototype]) {
  prototype[prototype.put ? "put" : "setItem"] = () => {
    throw new DOMException("full", "QuotaExceededError");
  };
}"""
NOTHING_LEFT = """new Promise((resolve) => {
  indexedDB.open("sketch-study-photos").onsuccess = ({ target }) => {
    const photos = target.result.transaction("photos").objectStore("photos").count();
    photos.onsuccess = () => {
      target.result.close();
      const waiting = Object.keys(localStorage).filter((name) => name.startsWith("sketch-study:"));
      resolve(photos.result + waiting.length === 0);
    };
  };
})"""


@pytest.fixture
def scan(researcher, served, tmp_path):
    """Scans cards on a page; the researcher's page shows an empty table of six."""
    set_number = make_table(served, tmp_path, CARDS)
    open_table(researcher, served, "T001", CARDS)

    def scan(page, *cards):
        page.evaluate(SCAN, [code_of(set_number, card) for card in cards])

    return scan


def cut_off(page):
    """Let nothing that the page saves arrive."""
    page.route("**/T001/*", lambda route: _abort_posts(route))


def _abort_posts(route):
    if route.request.method == "POST":
        route.abort()
    else:
        route.continue_()


def connect(page):
    """Let everything arrive again, and the page know of it."""
    page.unroute("**/T001/*")
    page.evaluate("dispatchEvent(new Event('online'))")


def shows(page, cards):
    expect(page.locator("#count")).to_have_text(f"{cards} of {CARDS}")
    expect(page.locator("#saved")).to_have_text("· saved")


def waits(page, words):
    expect(page.locator("#saved")).to_have_text(f"· {words}")


def photograph(page, folder):
    (folder / "one.png").write_bytes(png(1))
    page.locator("#photo-files").set_input_files(folder / "one.png")
    return page.locator("#waiting-photos")


def test_a_recording_page_whose_script_is_lost_says_so_after_a_while(researcher, served, scan):
    page = researcher
    message = page.get_by_text("This page did not load completely.")
    page.route("**/sittings/groups.js*", lambda route: route.abort())
    page.reload(wait_until="commit")
    expect(message).to_be_visible()
    page.unroute("**/sittings/groups.js*")
    page.reload()
    shows(page, 0)
    expect(message).to_have_count(0)


def test_an_answer_of_a_captive_portal_is_not_taken_as_saved(researcher, served, scan):
    page = researcher
    page.route("**/acts", lambda route: route.fulfill(body="<h1>Sign in to our Wi-Fi</h1>"))
    scan(page, 1, 2)
    waits(page, "2 waiting (no connection)")
    page.unroute("**/acts")
    connect(page)
    shows(page, 2)
    assert rows_of(served, "T001") == [(1, 1), (2, 1)]


def test_waiting_entries_survive_cleared_storage(researcher, served, scan):
    page = researcher
    cut_off(page)
    scan(page, 1, 2)
    waits(page, "2 waiting (no connection)")
    page.evaluate("localStorage.clear()")
    connect(page)
    shows(page, 2)
    assert rows_of(served, "T001") == [(1, 1), (2, 1)]


def test_with_full_storage_the_page_says_that_it_must_stay_open(researcher, served, scan, tmp_path):
    page = researcher
    page.add_init_script(IS_FULL)
    page.reload()
    shows(page, 0)
    cut_off(page)
    scan(page, 1, 2)
    waits(page, "2 waiting to be sent; continue, but keep this page open")
    expect(photograph(page, tmp_path)).to_have_text(
        "one.png: no connection. Keep this page open until everything is sent."
    )
    waits(page, "3 waiting to be sent; continue, but keep this page open")
    asked = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.dismiss()))
    # Browsers ask only after the page was touched.
    page.locator("#count").click()
    page.close(run_before_unload=True)
    connect(page)
    shows(page, 2)
    expect(page.locator("#waiting-photos li")).to_have_count(0)
    assert asked == ["beforeunload"]
    assert rows_of(served, "T001") == [(1, 1), (2, 1)]


def test_a_photo_that_is_not_sent_yet_is_not_said_to_be_saved(researcher, scan, tmp_path):
    page = researcher
    cut_off(page)
    line = photograph(page, tmp_path)
    expect(line).to_contain_text("one.png is waiting: no connection.")
    waits(page, "1 waiting (no connection)")
    scan(page, 1)
    waits(page, "2 waiting (no connection)")
    # many photos are one line, and their names leave the rest of the page in sight
    page.locator("#photo-files").set_input_files([tmp_path / "one.png"] * 20)
    more = page.locator("#waiting-photos details")
    expect(more.locator("summary")).to_have_text("20 more files are waiting")
    expect(more.locator("li").first).to_be_hidden()
    more.locator("summary").press("Enter")
    photos = more.locator("ul")
    assert photos.bounding_box()["height"] <= 0.25 * page.viewport_size["height"]
    photos.focus()
    page.keyboard.press("End")
    expect(photos.locator("li").last).to_be_in_viewport()
    connect(page)
    shows(page, 1)
    expect(line).to_have_text("")


def test_a_frozen_page_does_not_revert_another_tabs_changes(researcher, served, scan):
    page = researcher
    cut_off(page)
    scan(page, 1, 2)
    waits(page, "2 waiting (no connection)")
    tools = page.context.new_cdp_session(page)
    tools.send("Page.setWebLifecycleState", {"state": "frozen"})
    other = page.context.new_page()
    other.goto(page.url)
    shows(other, 2)
    other.keyboard.press("z")
    shows(other, 1)
    scan(other, 3)
    shows(other, 2)
    tools.send("Page.setWebLifecycleState", {"state": "active"})
    connect(page)
    shows(page, 2)
    shows(other, 2)
    assert rows_of(served, "T001") == [(1, 1), (2, 1), (2, None), (3, 1)]
    assert event_count(served, "T001") == 4


def test_an_unsent_event_undone_in_another_tab_is_not_sent(researcher, served, scan):
    page = researcher
    cut_off(page)
    scan(page, 1, 2)
    waits(page, "2 waiting (no connection)")
    other = page.context.new_page()
    cut_off(other)
    other.goto(page.url)
    waits(other, "2 waiting (no connection)")
    other.keyboard.press("z")
    for tab in (page, other):
        waits(tab, "1 waiting (no connection)")
    for tab in (page, other):
        connect(tab)
        shows(tab, 1)
    assert rows_of(served, "T001") == [(1, 1)]


def test_events_wait_while_their_sitting_is_finished_elsewhere(chromium, researcher, served, scan):
    page = researcher
    cut_off(page)
    scan(page, 1, 2)
    waits(page, "2 waiting (no connection)")
    tablet = chromium.new_context()
    tablet.add_cookies(page.context.cookies())
    other = tablet.new_page()
    open_table(other, served, "T001", CARDS)
    scan(other, 6)
    shows(other, 1)
    other.get_by_role("button", name="Finish sitting").click()
    other.locator("#reason").fill("lost")
    other.locator("#finish-dialog").get_by_role("button", name="Finish sitting").click()
    other.wait_for_url("**/T001")
    connect(page)
    waits(
        page, "2 waiting (Sitting T001 is finished, not being recorded; reopen it to correct it.)"
    )
    other.get_by_text("Reopen").first.click()
    other.get_by_label("Why").fill("two cards were scanned meanwhile")
    other.get_by_role("button", name="Reopen to correct").click()
    other.wait_for_url("**/record")
    connect(page)
    shows(page, 3)
    shows(other, 3)
    assert sorted(rows_of(served, "T001")) == [(1, 2), (2, 2), (6, 1)]
    tablet.close()


def test_events_of_a_withdrawn_sitting_are_removed_from_the_browser(
    researcher, served, scan, tmp_path
):
    page = researcher
    cut_off(page)
    scan(page, 1, 2)
    waits(page, "2 waiting (no connection)")
    expect(photograph(page, tmp_path)).to_contain_text("It is saved on this device")
    with opened(create_app(Settings.of(served.instance))), writing() as session:
        withdraw_sitting(session, session.query(Sitting).one(), None)
    connect(page)
    shows(page, 0)
    expect(page.locator("#waiting-photos li")).to_have_count(0)
    messages = page.locator("#messages .refusal")
    expect(messages.first).to_contain_text("Sitting T001 was withdrawn; nothing more is recorded.")
    wait_until(page, NOTHING_LEFT)
