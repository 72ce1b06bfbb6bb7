"""A newcomer signs in and creates a study, with the keyboard alone, and sees local times."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import expect

from study_app import create_app
from study_app.core.config import Settings
from study_app.core.database import opened, writing
from study_app.studies import studies
from tests.browser.conftest import sign_in

pytestmark = pytest.mark.browser


def test_a_new_researcher_creates_a_study(researcher, served):
    page = researcher
    expect(page.get_by_role("heading", name="Studies")).to_be_visible()
    page.get_by_label("Name").focus()
    page.keyboard.type("Sketches of chairs")
    page.keyboard.press("Enter")
    page.wait_for_url("**/sketches/")
    expect(page.get_by_role("link", name="Sketches of chairs")).to_be_visible()


def test_today_is_the_readers_day(chromium, page, served):
    """These two zones are 25 hours apart: one of them never has the date of UTC."""
    with opened(create_app(Settings.of(served.instance))), writing() as session:
        studies.make(session, "Chairs")
    sign_in(page, served)
    signed_in = page.context.storage_state()
    for zone in ("Pacific/Kiritimati", "Pacific/Pago_Pago"):
        context = chromium.new_context(timezone_id=zone, storage_state=signed_in)
        page = context.new_page()
        page.goto(served.address)
        before = datetime.now(ZoneInfo(zone)).date()
        page.goto(f"{served.address}/studies/1/sittings/day")
        days = {before, datetime.now(ZoneInfo(zone)).date()}
        assert page.get_by_label("Day").input_value() in {day.isoformat() for day in days}
        context.close()


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
