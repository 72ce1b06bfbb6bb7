"""A newcomer signs in and creates a study, with the keyboard alone, and sees local times."""

from datetime import datetime, timedelta

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import sign_in

pytestmark = pytest.mark.browser


def test_the_first_minutes(researcher, served):
    page = researcher
    expect(page.get_by_role("heading", name="Studies")).to_be_visible()
    page.get_by_label("Name").focus()
    page.keyboard.type("Sketches of chairs")
    page.keyboard.press("Enter")
    page.wait_for_url("**/sketches/")
    expect(page.get_by_role("link", name="Sketches of chairs")).to_be_visible()


def test_times_are_shown_in_the_readers_zone(chromium, served):
    context = chromium.new_context(timezone_id="Asia/Kolkata")
    page = context.new_page()
    sign_in(page, served)
    page.goto(f"{served.address}/account/")
    shown = page.locator("time").first
    expect(shown).to_contain_text("GMT+5:30")
    at = datetime.fromisoformat(shown.get_attribute("datetime"))
    assert f"{at + timedelta(hours=5, minutes=30):%H:%M}" in shown.inner_text()
    context.close()
