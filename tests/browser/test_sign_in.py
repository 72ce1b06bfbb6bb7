"""A newcomer signs in and makes a study, with the keyboard alone."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


def test_the_first_minutes(researcher, served):
    page = researcher
    expect(page.get_by_role("heading", name="Studies")).to_be_visible()
    page.get_by_label("Name").focus()
    page.keyboard.type("Sketches of chairs")
    page.keyboard.press("Enter")
    page.wait_for_url("**/sketches/")
    expect(page.get_by_role("link", name="Sketches of chairs")).to_be_visible()
