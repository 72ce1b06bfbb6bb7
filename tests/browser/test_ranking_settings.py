"""A researcher corrects a task, and copies it after participants have started."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import sign_in
from tests.browser.page_checks import accessible, fits
from tests.browser.ranking_pages import ranked
from tests.ranking_fixtures import Participant
from tests.ranking_setup import make_link

__all__ = ["ranked"]
pytestmark = pytest.mark.browser


def _is_well_made(page):
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 844})
        accessible(page)
        fits(page)


def test_a_task_is_corrected_then_copied(page, ranked):
    sign_in(page, ranked.server)
    page.goto(f"{ranked.server.address}/studies/1/ranking/{ranked.task_id}/")
    page.get_by_role("link", name="Settings").click()
    expect(page.get_by_text("everything can still be changed")).to_be_visible()
    _is_well_made(page)
    page.get_by_label("from 1 to").fill("5")
    page.get_by_label("Attention checks").fill("1")
    page.get_by_role("button", name="Save settings").click()
    expect(page.get_by_text("· scale from 1 to 5,")).to_be_visible()
    Participant(ranked.app, make_link(ranked.app, ranked.task_id))
    page.get_by_role("link", name="Settings").click()
    for fixed in ("from 1 to", "Attention checks", "Random seed"):
        expect(page.get_by_label(fixed)).to_be_disabled()
    _is_well_made(page)
    page.get_by_label("Question shown to participants").fill("How alike are they?")
    page.get_by_role("button", name="Save settings").click()
    expect(page.get_by_text("“How alike are they?” · scale from 1 to 5,")).to_be_visible()
    _is_well_made(page)
    page.get_by_role("link", name="Settings").click()
    page.get_by_role("button", name="Copy this task").click()
    expect(page.get_by_text("This is Similarity (copy)")).to_be_visible()
    page.get_by_label("Slider from 0 to 100").check()
    page.get_by_role("button", name="Save settings").click()
    expect(page.get_by_text("“How alike are they?” · slider from 0 to 100")).to_be_visible()
    expect(page.get_by_role("heading", name="Similarity (copy)")).to_be_visible()
