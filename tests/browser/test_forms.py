"""A refused form shows the message in the form and keeps what was typed."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


def make_study(page, name):
    page.get_by_label("Name").fill(name)
    page.get_by_role("button", name="Create study").click()


def test_a_refused_name_stays_in_the_form_and_can_be_corrected(researcher, served):
    page = researcher
    make_study(page, "Birds")
    page.wait_for_url("**/sketches/")
    page.goto(served.address)
    page.get_by_text("New study").click()
    page.get_by_label("Lab").fill("Vision")
    make_study(page, "Birds")
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("Birds")
    expect(alert).to_be_focused()
    expect(page.get_by_label("Lab")).to_have_value("Vision")
    make_study(page, "Chairs")
    page.wait_for_url("**/sketches/")
    expect(page.locator(".study-name")).to_have_text("Chairs")


def test_an_unreachable_server_is_reported_and_the_form_stays(researcher, served):
    page = researcher
    page.get_by_label("Lab").fill("Vision")
    served.kill()
    make_study(page, "Birds")
    expect(page.get_by_role("alert")).to_contain_text("could not be reached")
    served.start()
    page.get_by_role("button", name="Create study").click()
    page.wait_for_url("**/sketches/")
    expect(page.locator(".study-name")).to_have_text("Birds")
