"""The researcher's page of a task, open while people rank and withdraw."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import sign_in
from tests.browser.ranking_pages import begin, press, ranked, saved

__all__ = ["ranked"]
pytestmark = pytest.mark.browser


def test_the_live_page_shows_progress_without_a_reload(page, chromium, ranked):
    sign_in(page, ranked.server)
    page.goto(f"{ranked.server.address}/studies/1/ranking/{ranked.task_id}/")
    live = page.locator("#live")
    expect(live).to_contain_text("No participants yet")
    context = chromium.new_context()
    participant = context.new_page()
    begin(participant, ranked.link())
    press(participant, "123456o")
    participant.get_by_role("button", name="Submit and continue").click()
    saved(participant)
    expect(live.get_by_role("row", name="P001")).to_contain_text("1 of 2")
    participant.goto(participant.url.removesuffix("rank") + "withdraw")
    participant.get_by_role("button", name="Delete my scores").click()
    expect(live).to_contain_text("1 withdrew")
    context.close()
