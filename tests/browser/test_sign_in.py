"""A newcomer signs in and makes a study, with the keyboard alone."""

import pytest

pytestmark = pytest.mark.browser


def test_the_first_minutes(researcher, served):
    page = researcher
    assert page.get_by_role("heading", name="Studies").is_visible()
    page.get_by_label("Name").focus()
    page.keyboard.type("Sketches of chairs")
    page.keyboard.press("Enter")
    page.wait_for_url("**/sketches/")
    assert page.get_by_role("link", name="Sketches of chairs").is_visible()
