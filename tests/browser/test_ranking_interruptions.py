"""Interruptions of a participant: offline, a failing server, a browser without storage."""

import pytest
from playwright.sync_api import expect

from study_app.core.database import db, writing
from study_app.models.participation import WebTask
from study_app.participation.consent.questions import parse_questions
from tests.browser.page_checks import accessible, fits, lose_connection
from tests.browser.ranking_pages import (
    begin,
    chosen,
    continue_with,
    press,
    ranked,
    ready,
    saved,
    stop_time,
)
from tests.ranking_setup import assigned

__all__ = ["ranked"]
pytestmark = pytest.mark.browser

# The second query's pictures are fetched ahead: two sketches and twelve images in all.
ALL_PICTURES = """() => new Set(performance.getEntriesByType("resource")
  .filter(({ name, responseStatus }) => name.includes("/pictures/") && responseStatus === 200)
  .map(({ name }) => name)).size === 14"""
KEEPS_NOTHING = """for (const name of ["getItem", "setItem", "removeItem", "key"])
  Storage.prototype[name] = () => { throw new DOMException("blocked", "SecurityError"); };"""
IS_FULL = """Storage.prototype.setItem = () => {
  throw new DOMException("full", "QuotaExceededError"); };"""


def _review(page):
    page.get_by_role("button", name="Review scores").click()


def _submit(page):
    _review(page)
    # On a phone it takes the place of the other, where a second tap within 400 ms is a slip.
    page.wait_for_timeout(450)
    page.get_by_role("button", name="Submit and continue").click()


def test_what_was_entered_survives_a_lost_session_cookie(page, ranked):
    questions = parse_questions("Drawing experience")
    task_id = ranked.add_task("Asking", questions)
    with ranked.app.app_context(), writing() as session:
        session.get(WebTask, task_id).language = "ar"
    link = ranked.link(task_id=task_id)
    page.goto(link)
    page.get_by_role("textbox").fill('since "school" & مدرسة')
    page.get_by_role("checkbox").check()
    page.context.clear_cookies()
    page.locator("#agree button.primary").click()
    expect(page.get_by_role("alert")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    expect(page.locator("main a")).to_have_count(0)
    accessible(page)
    fits(page)
    page.locator("main button.primary").click()
    ready(page)
    with ranked.app.app_context():
        sitting = ranked.sitting(db.session, link)
        assert sitting.answers == {"drawing_experience": 'since "school" & مدرسة'}


@pytest.mark.parametrize("width", [320, 1280])
def test_a_mistyped_address_leads_back_to_the_task(page, ranked, width):
    page.set_viewport_size({"width": width, "height": 800})
    continue_with(page, ranked.agreed_link())
    own = page.url
    page.goto(own.replace("/rank", "/nothing?lang=de"))
    expect(page.locator("html")).to_have_attribute("lang", "de")
    accessible(page)
    fits(page)
    page.get_by_role("link", name="Weiter").click()
    ready(page)
    assert page.url == own


def test_a_query_is_submitted_offline_and_the_next_one_started(page, ranked):
    link = ranked.agreed_link()
    continue_with(page, link)
    page.wait_for_function(ALL_PICTURES)
    lose_connection(page)
    press(page, "123456")
    _submit(page)
    expect(page.locator("#progress")).to_contain_text("Sketch 2 of 2")
    ready(page)
    press(page, "65")
    expect(page.locator("#saving")).to_contain_text("waiting to be sent; continue")
    assert ranked.scores(link)[0] == {}
    page.context.set_offline(False)
    saved(page)
    assert [entry.value for entry in ranked.scores(link)[1]] == [1, 2, 3, 4, 5, 6, 6, 5]
    with ranked.app.app_context():
        queries = assigned(db.session, ranked.sitting(db.session, link).id)
        assert [query.submitted_at is not None for query in queries] == [True, False]


def test_a_reload_while_submitting_submits_once(page, ranked):
    link = ranked.agreed_link()
    continue_with(page, link)
    press(page, "123456")
    saved(page)
    page.route("**/entries", lambda route: route.abort())
    _submit(page)
    expect(page.locator("#progress")).to_contain_text("Sketch 2 of 2")
    page.reload()
    expect(page.locator("#progress")).to_contain_text("Sketch 2 of 2")
    ready(page)
    page.unroute("**/entries")
    saved(page)
    page.reload()
    ready(page)
    expect(page.locator("#progress")).to_contain_text("Sketch 2 of 2 · 6 images left")
    assert len(ranked.scores(link)[1]) == 6


def test_server_errors_are_reported_and_the_request_is_repeated(page, ranked):
    link = ranked.agreed_link()
    continue_with(page, link)
    page.route("**/entries", lambda route: route.fulfill(status=500, body="no"))
    press(page, "12")
    expect(page.locator("#saving")).to_contain_text("not saved yet: The server answered 500")
    assert chosen(page) == "Image 3, not scored"
    page.unroute("**/entries")
    saved(page)
    assert [entry.value for entry in ranked.scores(link)[1]] == [1, 2]


def test_a_list_that_could_not_be_loaded_is_requested_again(page, ranked):
    link = ranked.agreed_link()
    continue_with(page, link)
    page.route("**/plan", lambda route: route.abort())
    page.reload()
    expect(page.get_by_role("alert")).to_contain_text("couldn't be loaded; retrying")
    page.unroute("**/plan")
    ready(page)
    expect(page.get_by_role("alert")).to_be_hidden()
    page.keyboard.press("4")
    saved(page)


@pytest.mark.parametrize("storage", [KEEPS_NOTHING, IS_FULL], ids=["blocked", "full"])
def test_ranking_works_without_browser_storage(page, ranked, storage):
    link = ranked.link("open")
    page.add_init_script(storage)
    begin(page, link)
    own = page.url.removesuffix("rank")
    press(page, "123")
    saved(page)
    lose_connection(page)
    page.keyboard.press("4")
    expect(page.locator("#saving")).to_contain_text("continue, but keep this page open")
    # Leaving now asks for confirmation.
    asked = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.dismiss()))
    page.close(run_before_unload=True)
    expect(page.locator("#saving")).to_contain_text("continue, but keep this page open")
    page.context.set_offline(False)
    press(page, "56")
    saved(page)
    assert asked == ["beforeunload"]
    assert [entry.value for entry in ranked.scores(own)[1]] == [1, 2, 3, 4, 5, 6]


def test_the_back_button_continues_the_participation(page, ranked):
    link = ranked.link()
    begin(page, link)
    press(page, "12")
    saved(page)
    page.go_back()
    ready(page)
    assert chosen(page) == "Image 3, not scored"
    press(page, "3456")
    _submit(page)
    ready(page)
    press(page, "123456")
    _submit(page)
    page.wait_for_url("**/thanks")
    page.go_back()
    page.wait_for_url("**/thanks")


def test_a_double_tap_on_review_submits_nothing(page, ranked):
    link = ranked.agreed_link()
    page.clock.install()
    continue_with(page, link)
    press(page, "123456")
    stop_time(page)
    button = page.get_by_role("button", name="Review scores").bounding_box()
    page.mouse.dblclick(button["x"] + button["width"] - 20, button["y"] + 20)
    expect(page.get_by_role("heading", name="Review scores")).to_be_visible()
    expect(page.locator("#progress")).to_contain_text("Sketch 1 of 2")
    page.clock.fast_forward(1000)
    # Neither does the one that submits open the pause, whose button takes its place.
    button = page.get_by_role("button", name="Submit and continue").bounding_box()
    page.mouse.dblclick(button["x"] + button["width"] - 20, button["y"] + 20)
    expect(page.locator("#progress")).to_contain_text("Sketch 2 of 2")
    expect(page.get_by_role("dialog", name="Break")).to_be_hidden()
    saved(page)


def test_two_devices_in_turn_continue_where_the_other_stopped(page, chromium, ranked):
    link = ranked.agreed_link()
    continue_with(page, link)
    press(page, "123456")
    saved(page)
    context = chromium.new_context(viewport={"width": 390, "height": 844})
    other = context.new_page()
    other.goto(link)
    ready(other)
    _submit(other)
    ready(other)
    press(other, "7")
    saved(other)
    # The first device learns of it when its next entry is refused.
    page.locator("#grid button").first.click()
    page.keyboard.press("2")
    expect(page.locator("#progress")).to_contain_text("Sketch 2 of 2 · 5 images left")
    ready(page)
    assert chosen(page) == "Image 2, not scored"
    press(page, "34567")
    _submit(page)
    page.wait_for_url("**/thanks")
    other.locator("#grid button").nth(1).click()
    other.keyboard.press("1")
    other.wait_for_url("**/thanks")
    current, _ = ranked.scores(link)
    assert sorted(current.values()) == [1, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7]
    context.close()


def test_clicks_beside_images_and_pauses_keep_the_focus(page, ranked):
    continue_with(page, ranked.agreed_link())
    page.locator("#wording").click()
    page.keyboard.press("3")
    expect(page.locator("#announcement")).to_have_text("Image 1, score 3. Now image 2.")
    page.get_by_role("button", name="Take a break").click()
    page.get_by_role("button", name="Continue", exact=True).click()
    expect(page.locator("#grid [aria-selected=true]")).to_be_focused()
    page.keyboard.press("4")
    expect(page.locator("#announcement")).to_have_text("Image 2, score 4. Now image 3.")


def test_the_review_shows_changes_of_another_tab(page, ranked):
    link = ranked.agreed_link()
    continue_with(page, link)
    press(page, "123456")
    saved(page)
    other = page.context.new_page()
    other.goto(link)
    ready(other)
    _review(page)
    other.locator("#grid button").first.click()
    other.keyboard.press("7")
    saved(other)
    # A tab that becomes visible again asks the server for changes.
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.locator(".column[data-value='7'] .stimulus")).to_have_count(1)
    expect(page.locator(".column[data-value='1'] .stimulus")).to_have_count(0)


def test_digit_keys_work_on_layouts_that_need_shift(page, ranked):
    """On a French keyboard, the key of 1 gives & without Shift."""
    continue_with(page, ranked.agreed_link())
    page.locator("#grid [aria-selected=true]").evaluate(
        """(image) => image.dispatchEvent(
        new KeyboardEvent("keydown", { key: "é", code: "Digit2", bubbles: true }))"""
    )
    expect(page.locator("#announcement")).to_have_text("Image 1, score 2. Now image 2.")
