"""The quiet clock beside a sorting table, and the alarm when the time is over."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.unprinted_table import make_table

pytestmark = pytest.mark.browser


# What the page asked for to keep the screen on.
KEPT_ON = """window.kept = [];
const request = WakeLock.prototype.request;
WakeLock.prototype.request = function (kind) {
  window.kept.push(kind);
  return request.call(this, kind);
};"""


def _start(page, served, folder):
    """Start a sitting T002 with a time limit of 75 minutes."""
    make_table(served, folder, 2)
    page.goto(f"{served.address}/studies/1/sittings/")
    page.get_by_text("Plan sittings").first.click()
    page.get_by_label("Assessors, one per line").fill("P09")
    page.get_by_label("Time limit").fill("75")
    page.get_by_role("button", name="Plan sittings").click()
    # a tablet whose own clock is a day behind shows the server's time
    page.clock.install(time="2020-01-01T00:00:00Z")
    page.get_by_role("link", name="Open T002").click()
    page.get_by_role("button", name="Start sorting").click()


def test_the_alarm_sounds_when_the_time_is_up(researcher, served, tmp_path):
    page = researcher
    page.add_init_script(KEPT_ON)
    _start(page, served, tmp_path)
    clock, words = page.get_by_role("timer"), page.locator("[data-clock-words]")
    expect(clock).to_have_text(re.compile("^00:[0-5][0-9]$"))
    expect(words).to_have_text("of 75 minutes")
    assert page.evaluate("window.kept") == ["screen"]
    page.clock.fast_forward("01:13:00")
    expect(clock).to_have_text(re.compile("^1:1[34]:[0-5][0-9]$"))
    expect(clock).not_to_have_class(re.compile("over"))
    page.clock.fast_forward("00:02:00")
    expect(words).to_have_text("Time is up")
    expect(clock).to_have_class(re.compile("over"))
    alarm = page.get_by_role("alert")
    expect(alarm).to_contain_text("Time is up")
    expect(page).to_have_title(re.compile("^Time is up"))
    assert alarm.bounding_box()["width"] == page.viewport_size["width"]
    alarm.get_by_role("button", name="Silence").click()
    expect(alarm).to_be_hidden()
    # the sitting is not ended: the conductor stops the sorting
    page.clock.fast_forward("00:45:00")
    expect(clock).to_have_text(re.compile("^2:0[01]:[0-5][0-9]$"))
    page.get_by_role("button", name="Stop and record").click()
    page.wait_for_url("**/record")
    expect(page.locator("#count")).to_have_text("0 of 2")


def test_the_alarm_also_sounds_on_the_instructions_in_their_language(researcher, served, tmp_path):
    page = researcher
    _start(page, served, tmp_path)
    page.get_by_role("link", name="Show instructions").click()
    page.get_by_label("Language").select_option("ar")
    page.get_by_role("button", name="Change").click()
    alarm = page.get_by_role("alert")
    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    # the page's script is running: it counts from the moment at which it begins
    expect(page.locator("[data-clock]")).to_have_text(re.compile("^00:[0-5][0-9]$"))
    expect(alarm).to_be_hidden()
    page.clock.fast_forward("01:16:00")
    expect(alarm).to_contain_text("انتهى الوقت")
    assert alarm.bounding_box()["height"] == page.viewport_size["height"]
    alarm.get_by_role("button").click()
    expect(alarm).to_be_hidden()
