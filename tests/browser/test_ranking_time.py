"""Time on a participant's page: minutes left, pauses, the time limit, clocks that are set."""

from datetime import timedelta

import pytest
from playwright.sync_api import expect

from study_app.core.database import db, writing
from tests.browser.page_checks import lose_connection
from tests.browser.ranking_pages import continue_with, press, ranked, ready, saved, stop_time
from tests.ranking_setup import assigned

__all__ = ["ranked"]
pytestmark = pytest.mark.browser

MINUTES = 30


@pytest.fixture(scope="module")
def limited(ranked):
    """The number of a task with a time limit."""
    return ranked.add_task("Limited", minutes=MINUTES)


def _let_pass(page, seconds):
    """Let time pass on the page without any action."""
    page.clock.fast_forward(seconds * 1000)


def _pause(page, seconds):
    """Pause for so long; the page's own listener for the end of it was there first."""
    page.get_by_role("button", name="Take a break").click()
    page.evaluate(
        """() => { const view = document.querySelector("#pause-view");
        view.addEventListener("close", () => view.classList.add("over"), { once: true }); }"""
    )
    _let_pass(page, seconds)
    page.get_by_role("button", name="Continue", exact=True).click()
    page.wait_for_selector("#pause-view.over", state="attached")


def _submit(page):
    page.get_by_role("button", name="Review scores").click()
    page.get_by_role("button", name="Submit and continue").click()


def test_the_minutes_left_include_the_review_but_no_pauses(page, ranked):
    page.clock.install()
    continue_with(page, ranked.agreed_link())
    stop_time(page)
    # Before anything is known: 12 images of 4 s and 2 times 15 s of review.
    expect(page.locator("#progress")).to_contain_text("about 2 minutes left")
    press(page, "123456")
    page.get_by_role("button", name="Review scores").click()
    _let_pass(page, 110)
    _pause(page, 900)
    _let_pass(page, 110)
    page.get_by_role("button", name="Submit and continue").click()
    ready(page)
    # 6 images of 4 s, and once more the 220 s that the review took: 4.1 minutes and a moment.
    expect(page.locator("#progress")).to_contain_text("Sketch 2 of 2 · 6 images left · about 5 min")
    page.reload()
    ready(page)
    expect(page.locator("#progress")).to_contain_text("about 5 minutes left")
    for key in "123456":
        _let_pass(page, 1)
        page.keyboard.press(key)
    expect(page.locator("#progress")).to_contain_text("0 images left · about 4 minutes left")
    page.get_by_role("button", name="Review scores").click()
    _let_pass(page, 180)
    expect(page.locator("#progress")).to_contain_text("about 1 minute left")


def test_corrections_do_not_change_the_pace(page, ranked):
    page.clock.install()
    continue_with(page, ranked.agreed_link())
    stop_time(page)
    press(page, "123456")
    page.get_by_role("button", name="Review scores").click()
    for key in "1234":
        _let_pass(page, 50)
        page.keyboard.press(key)
    page.get_by_role("button", name="Submit and continue").click()
    ready(page)
    press(page, "1234")
    # Ten images took no time, the review 200 s; had the corrections counted, an image took 14 s.
    expect(page.locator("#progress")).to_contain_text("2 images left · about 4 minutes left")


def test_a_pause_is_offered_after_ten_minutes_and_its_time_not_counted(page, ranked):
    link = ranked.agreed_link()
    page.clock.install()
    continue_with(page, link)
    press(page, "12345")
    _let_pass(page, 700)
    page.keyboard.press("6")
    _submit(page)
    dialog = page.get_by_role("dialog", name="Break")
    expect(dialog).to_contain_text("You have been scoring for ten minutes")
    _let_pass(page, 500)
    page.keyboard.press("Enter")
    expect(dialog).to_be_hidden()
    ready(page)
    page.keyboard.press("1")
    saved(page)
    entries = ranked.scores(link)[1]
    assert 700_000 <= entries[5].response_ms < 800_000
    assert entries[6].response_ms < 100_000


def _begin_before(ranked, link, seconds):
    """Set the start of a sitting so that this much of the time limit is left."""
    with ranked.app.app_context(), writing() as session:
        sitting = ranked.sitting(session, link)
        ago = timedelta(seconds=seconds) - timedelta(minutes=MINUTES)
        sitting.agreed_at, sitting.ready_at = sitting.agreed_at + ago, sitting.ready_at + ago


@pytest.mark.parametrize("keys", ["123", "123456"], ids=["unscored", "scored"])
def test_the_page_warns_of_the_time_limit_and_ends(page, ranked, limited, keys):
    link = ranked.agreed_link(task_id=limited)
    page.clock.install()
    continue_with(page, link)
    expect(page.locator("#progress")).to_contain_text("of work · 30 minutes left")
    expect(page.locator("#limit")).to_be_hidden()
    _begin_before(ranked, link, 110)
    page.reload()
    ready(page)
    expect(page.locator("#limit")).to_contain_text("Less than 2 minutes")
    _let_pass(page, 55)
    expect(page.locator("#limit")).to_contain_text("Less than one minute")
    press(page, keys)
    saved(page)
    _begin_before(ranked, link, -60)
    _let_pass(page, 60)
    page.wait_for_url("**/thanks")
    expect(page.get_by_text("Your time ended before the last sketch.")).to_be_visible()
    with ranked.app.app_context():
        sitting = ranked.sitting(db.session, link)
        assert sitting.ending == "time_up"
        submitted = [query.submitted_at is not None for query in assigned(db.session, sitting.id)]
    # A fully scored query counts; an incomplete one does not, but is stored.
    assert submitted == [keys == "123456", False]
    assert len(ranked.scores(link)[0]) == len(keys)


def test_without_a_connection_the_end_is_shown_and_sent_later(page, ranked, limited):
    link = ranked.agreed_link(task_id=limited)
    page.clock.install()
    continue_with(page, link)
    lose_connection(page)
    press(page, "12")
    _let_pass(page, MINUTES * 60)
    expect(page.get_by_role("heading", name="The time is up.")).to_be_visible()
    expect(page.locator("#progress")).to_contain_text("Keep this page open")
    expect(page.locator("#grid")).to_be_hidden()
    expect(page.get_by_role("button", name="Score 3")).to_be_hidden()
    _begin_before(ranked, link, -5)
    page.context.set_offline(False)
    page.wait_for_url("**/thanks")
    assert [entry.value for entry in ranked.scores(link)[1]] == [1, 2]


def test_after_the_last_query_the_page_ends(page, ranked):
    continue_with(page, ranked.agreed_link())
    for _ in range(2):
        ready(page)
        press(page, "123456")
        page.get_by_role("button", name="Review scores").click()
        if "Sketch 2" in page.locator("#progress").inner_text():
            lose_connection(page)
        page.get_by_role("button", name="Submit and continue").click()
    expect(page.get_by_role("heading", name="That was the last sketch.")).to_be_visible()
    page.context.set_offline(False)
    page.wait_for_url("**/thanks")


@pytest.mark.parametrize("hours", [-2, 2], ids=["back", "forward"])
def test_setting_the_clock_changes_no_order_and_ends_nothing(page, ranked, limited, hours):
    link = ranked.agreed_link(task_id=limited)
    page.clock.install()
    continue_with(page, link)
    page.keyboard.press("1")
    saved(page)
    page.clock.set_system_time(page.evaluate("Date.now()") / 1000 + hours * 3600)
    press(page, ["2", "ArrowLeft", "ArrowLeft", "5"])
    saved(page)
    page.clock.run_for(2000)
    expect(page.locator("#progress")).to_contain_text("4 images left")
    current, entries = ranked.scores(link)
    assert [entry.value for entry in entries] == [1, 2, 5]
    assert sorted(current.values()) == [2, 5]
    page.reload()
    ready(page)
    expect(page.locator("#grid button").first).to_have_accessible_name("Image 1, score 5")


def test_a_page_that_ends_too_early_continues(page, ranked, limited):
    link = ranked.agreed_link(task_id=limited)
    page.clock.install()
    continue_with(page, link)
    page.keyboard.press("1")
    saved(page)
    _let_pass(page, MINUTES * 60 + 1)
    # By the server's clock there is time left.
    expect(page.locator("#progress")).to_contain_text("of work · 30 minutes left")
    page.get_by_role("button", name="Continue", exact=True).click()
    expect(page.locator("#pause-view")).to_be_hidden()
    expect(page.locator("#grid [aria-selected=true]")).to_be_focused()
    page.keyboard.press("2")
    saved(page)
    with ranked.app.app_context():
        assert ranked.sitting(db.session, link).finished_at is None
    assert len(ranked.scores(link)[0]) == 2


def test_a_page_left_open_for_a_month_still_saves(page, ranked):
    link = ranked.agreed_link()
    page.clock.install()
    continue_with(page, link)
    _let_pass(page, 30 * 24 * 3600)
    page.keyboard.press("1")
    saved(page)
    assert [entry.value for entry in ranked.scores(link)[1]] == [1]
