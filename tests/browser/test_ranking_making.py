"""A researcher creates a task in the browser: missing fields are reported in place."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import sign_in
from tests.browser.page_checks import accessible, fits
from tests.browser.ranking_pages import ranked

__all__ = ["ranked"]
pytestmark = pytest.mark.browser


def test_a_refused_form_keeps_its_values(page, ranked, tmp_path):
    sign_in(page, ranked.server)
    page.goto(f"{ranked.server.address}/studies/1/ranking/new")
    wrong = tmp_path / "queries.csv"
    wrong.write_text("query,stimulus\nq1,i1\nq1,nothing\n", encoding="utf-8")
    page.get_by_label("Table of queries, CSV").set_input_files(str(wrong))
    # Choosing a table also selects the source of the queries.
    expect(page.get_by_label("From a table")).to_be_checked()
    page.get_by_label("Name").fill("Likeness")
    page.get_by_label("Label of the low end").fill("alike")
    page.get_by_label("Label of the high end").fill("not alike")
    page.get_by_label("the low end", exact=True).check()
    page.get_by_role("button", name="Create task").click()
    expect(page.locator(".refusal")).to_contain_text("the table:3: there is no stimulus 'nothing'")
    expect(page.get_by_label("Label of the low end")).to_have_value("alike")
    page.get_by_label("Choose them on the next page").check()
    page.get_by_role("button", name="Create task").click()
    page.wait_for_url("**/queries/pick")
    _pick(page)
    page.get_by_role("link", name="Likeness: 1 query").click()
    expect(page.get_by_role("heading", name="1 query")).to_be_visible()
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 844})
        accessible(page)
        fits(page)


def _pick(page):
    add = page.get_by_role("button", name="Add this query")
    page.locator("input[name=sketch]").first.check()
    page.locator("input[name=images]").first.check()
    expect(page.locator("#count")).to_have_text("1 of 12 chosen")
    add.click()
    # One image is not enough: the browser says so, and the page stays open.
    assert page.locator("form.picker").evaluate("form => form.matches(':invalid')")
    page.get_by_role("button", name="Choose all").click()
    expect(page.locator("#count")).to_have_text("12 of 12 chosen")
    add.click()
    expect(page.get_by_role("link", name="Likeness: 1 query")).to_be_visible()
