"""Scores that wait in a browser: sent twice, by another tab, after a clock that was set back."""

import time

import pytest
from playwright.sync_api import expect

from study_app.core.database import db
from tests.browser.ranking_pages import begin, continue_with, press, ranked, ready, saved
from tests.ranking_setup import assigned

__all__ = ["ranked"]
pytestmark = pytest.mark.browser

BACK_S = 2 * 3600


@pytest.fixture
def line(page):
    """What becomes of entries; they all arrive at first.

    Interception is asked for before the page sends any: asked for when a key is about to be
    pressed, it may be too late for the first score.
    """
    line = Line()
    page.route("**/entries", lambda route: line.handle(route))
    return line


class Line:
    """Does with each request to save entries what a test wants."""

    def __init__(self):
        self.handle = self.deliver = lambda route: route.continue_()

    def cut_off(self, page):
        """Let nothing more arrive; what the page has sent so far does."""
        saved(page)
        self.handle = lambda route: route.abort()

    def connect(self, page):
        """Let everything arrive again, and the page know of it."""
        self.handle = self.deliver
        page.evaluate("dispatchEvent(new Event('online'))")


def waits(page):
    expect(page.locator("#saving")).to_contain_text("waiting to be sent; continue")


def values(ranked, link):
    """Every score as it was received, the one answered first before the others."""
    return [entry.value for entry in ranked.scores(link)[1]]


def test_waiting_scores_are_sent_in_order_if_the_clock_was_set_back(page, line, ranked):
    link = ranked.agreed_link()
    page.clock.install()
    continue_with(page, link)
    line.cut_off(page)
    press(page, "123")
    waits(page)
    page.clock.set_system_time(page.evaluate("Date.now()") / 1000 - BACK_S)
    press(page, "45")
    # The same again in a page that was opened since.
    page.reload()
    ready(page)
    press(page, "6")
    page.get_by_role("button", name="Review scores").click()
    page.get_by_role("button", name="Submit and continue").click()
    expect(page.locator("#progress")).to_contain_text("Sketch 2 of 2")
    with page.expect_request("**/entries") as sent:
        line.connect(page)
    kinds = [entry["kind"] for entry in sent.value.post_data_json["entries"]]
    assert kinds == [*5 * ["score"], "entered", "score", "submitted", "entered"]
    saved(page)
    assert values(ranked, link) == [1, 2, 3, 4, 5, 6]
    with ranked.app.app_context():
        queries = assigned(db.session, ranked.sitting(db.session, link).id)
        assert [query.submitted_at is not None for query in queries] == [True, False]


def test_scores_whose_answer_was_lost_are_stored_once(page, line, ranked):
    link = ranked.agreed_link()
    continue_with(page, link)
    line.handle = lambda route: (route.fetch(), route.abort())
    press(page, "123")
    waits(page)
    line.connect(page)
    saved(page)
    assert values(ranked, link) == [1, 2, 3]


def test_a_tab_whose_scores_another_has_sent_and_finished(page, line, ranked):
    link = ranked.agreed_link()
    continue_with(page, link)
    line.cut_off(page)
    press(page, "12")
    waits(page)
    other = page.context.new_page()
    other.goto(page.url)
    ready(other)
    saved(other)
    press(other, "3456os")
    expect(other.locator("#progress")).to_contain_text("Sketch 2 of 2")
    ready(other)
    press(other, "123456os")
    other.wait_for_url("**/thanks")
    line.connect(page)
    page.wait_for_url("**/thanks")
    assert values(ranked, link) == [1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6]
    assert (
        page.evaluate("Object.keys(localStorage).filter((name) => name.includes('rank:w'))") == []
    )


def test_a_page_from_the_back_forward_cache_reloads(page, line, ranked):
    """As in Safari; this Chromium does not cache pages with no-store."""
    link = ranked.link()
    begin(page, link)
    line.cut_off(page)
    press(page, "12")
    waits(page)
    with page.expect_navigation():
        page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    ready(page)
    line.connect(page)
    saved(page)
    assert values(ranked, link) == [1, 2]


def _slow_list(page, before_s, after_s):
    """Delay the request or the answer of the list, which has the server's time."""

    def slowly(route):
        time.sleep(before_s)
        answer = route.fetch()
        time.sleep(after_s)
        route.fulfill(response=answer)

    page.route("**/plan", slowly)


def test_a_later_answer_is_current_with_a_less_precise_clock(page, ranked):
    link = ranked.agreed_link()
    _slow_list(page, 4, 0)
    continue_with(page, link)
    other = page.context.new_page()
    _slow_list(other, 0, 3)
    other.goto(page.url)
    ready(other)
    other.locator("#grid button").first.focus()
    page.keyboard.press("2")
    saved(page)
    other.keyboard.press("6")
    saved(other)
    current, entries = ranked.scores(link)
    assert [entry.value for entry in entries] == [2, 6]
    assert list(current.values()) == [6]
