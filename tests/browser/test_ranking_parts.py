"""Tabs that are still in a part which another device has ended."""

from datetime import timedelta

import pytest
from playwright.sync_api import expect

from study_app.core.database import writing
from study_app.models import now
from study_app.participation import flow
from study_app.participation.sittings import parts
from study_app.ranking.scores import recording
from study_app.ranking.scores.entries import Entry
from study_app.ranking.tasks import tasks
from tests.browser.ranking_pages import begin, ranked, ready, saved
from tests.ranking_setup import assigned

__all__ = ["ranked"]
pytestmark = pytest.mark.browser


@pytest.fixture
def link(ranked):
    """A link to a task of two parts with one query each."""
    task_id = ranked.add_task("In two parts")
    with ranked.app.app_context(), writing() as session:
        flow.change_flow(session.get(tasks.RankingTask, task_id), flow.Flow(parts=2))
    return ranked.link(task_id=task_id)


def _next_part_elsewhere(ranked, link, token):
    with ranked.app.app_context(), writing() as session:
        sitting = ranked.sitting(session, link)
        order = assigned(session, sitting.id)[0].shown_order
        scores = [Entry(f"elsewhere-{image}", "score", 1, image, 2) for image in order]
        recording.record(session, token, [*scores, Entry("elsewhere-done", "submitted", 1)])
    with ranked.app.app_context(), writing() as session:
        sitting = ranked.sitting(session, link)
        sitting.next_part_at = now() - timedelta(hours=1)
        parts.begin_next(session, sitting)


def _sketch(page):
    return page.locator("#sketch img").get_attribute("src")


def test_tabs_in_an_earlier_part_show_the_new_one(page, ranked, link):
    begin(page, link)
    # A tab that is still sending also sends what waits in the other one.
    saved(page)
    other = page.context.new_page()
    other.goto(page.url)
    ready(other)
    saved(other)
    first = _sketch(other)
    page.bring_to_front()
    # Neither does the other one send it.
    page.context.route("**/entries", lambda route: route.abort())
    page.keyboard.press("1")
    expect(page.locator("#saving")).to_contain_text("waiting to be sent")
    _next_part_elsewhere(ranked, link, page.url.split("/")[-2])
    # Waiting entries of the earlier part are too late, and block nothing.
    page.context.unroute("**/entries")
    page.reload()
    ready(page)
    saved(page)
    assert _sketch(page) != first
    # A score for the earlier part is refused, and not shown as saved.
    other.bring_to_front()
    other.locator("#grid [aria-selected=true]").focus()
    with other.expect_navigation():
        other.keyboard.press("3")
    ready(other)
    assert _sketch(other) == _sketch(page)
    expect(other.locator("#progress")).to_contain_text("6 images left")
