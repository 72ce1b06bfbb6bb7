"""Keys after the help, and a pause offered in the midst of a long query."""

import pytest
from playwright.sync_api import expect

from tests.browser.ranking_pages import chosen, continue_with, press, ranked, saved

__all__ = ["ranked"]
pytestmark = pytest.mark.browser


def test_closing_the_help_returns_the_focus_to_the_image(page, ranked):
    continue_with(page, ranked.agreed_link())
    before = chosen(page)
    page.get_by_text("Help and keys").click()
    expect(page.get_by_text("Tap an image to select it")).to_be_visible()
    page.get_by_text("Help and keys").click()
    expect(page.locator("#grid [aria-selected=true]")).to_be_focused()
    press(page, "3")
    expect(page.locator("#grid [aria-selected=true]")).not_to_have_attribute("aria-label", before)
    saved(page)


def test_a_pause_is_offered_within_a_query_after_ten_minutes(page, ranked):
    page.clock.install()
    continue_with(page, ranked.agreed_link())
    press(page, "1")
    offer = page.get_by_text("Take a break if you like")
    page.clock.fast_forward("09:00")
    expect(offer).to_be_hidden()
    scale = page.locator("#scale").bounding_box()
    page.clock.fast_forward("01:30")
    expect(offer).to_be_visible()
    # It moves nothing under the finger, and the next score is accepted.
    assert page.locator("#scale").bounding_box() == scale
    left = page.locator("#progress").inner_text()
    press(page, "2")
    expect(page.locator("#progress")).not_to_have_text(left)
    page.get_by_role("button", name="Take a break").click()
    page.get_by_role("button", name="Continue").click()
    page.clock.run_for(2000)
    expect(offer).to_be_hidden()
    saved(page)
