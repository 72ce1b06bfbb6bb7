"""A participant leaves nothing in a browser that others use afterwards."""

import pytest
from playwright.sync_api import expect

from tests.browser.page_checks import lose_connection
from tests.browser.ranking_pages import begin, press, ranked, ready, saved

__all__ = ["ranked"]
pytestmark = pytest.mark.browser

KEPT = """() => Object.fromEntries(Object.entries(localStorage)
  .filter(([name]) => name.startsWith("rank:")))"""


def _finish(page):
    for _ in range(2):
        ready(page)
        press(page, "123456o")
        page.get_by_role("button", name="Submit and continue").click()
    page.wait_for_url("**/thanks")


def test_the_next_participant_at_this_computer_sees_nothing_of_the_last(page, ranked):
    link = ranked.link("open")
    begin(page, link)
    own = page.url.removesuffix("rank")
    saved(page)
    page.goto(link)
    going_on = page.get_by_role("link", name="Continue where you stopped")
    assert going_on.evaluate("link => link.href") == own
    going_on.click()
    page.wait_for_url("**/rank")
    _finish(page)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy code").click()
    expect(page.get_by_text("Copied.")).to_be_visible()
    code = page.locator("#code").inner_text()
    assert page.evaluate("navigator.clipboard.readText()") == code
    page.wait_for_function(f"!JSON.stringify(({KEPT})()).includes('{own.split('/')[-2]}')")
    page.goto(link)
    expect(page.get_by_text("nothing more to do")).to_be_visible()
    expect(going_on).to_be_hidden()
    begin(page, link)
    assert page.url != f"{own}rank"


def test_the_browser_stores_the_token_of_the_server(page, ranked):
    link = ranked.link("open")
    page.goto(link)
    page.locator("[name=own_token]").evaluate("(field) => { field.value = 'of another link'; }")
    page.get_by_role("checkbox").check()
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/rank")
    ready(page)
    own = page.url.removesuffix("rank")
    page.goto(link)
    going_on = page.get_by_role("link", name="Continue where you stopped")
    assert going_on.evaluate("link => link.href") == own
    assert page.evaluate("sessionStorage.getItem('rank:joining')") is None


def test_withdrawing_on_another_device_discards_waiting_scores(page, chromium, ranked):
    link = ranked.link()
    begin(page, link)
    own = page.url.removesuffix("rank")
    saved(page)
    lose_connection(page)
    press(page, "123")
    expect(page.locator("#saving")).to_contain_text("3 waiting")
    other = chromium.new_context()
    elsewhere = other.new_page()
    elsewhere.goto(f"{own}withdraw")
    elsewhere.get_by_role("button", name="Delete my scores").click()
    expect(elsewhere.get_by_role("heading", name="You withdrew")).to_be_visible()
    other.close()
    page.context.set_offline(False)
    page.wait_for_url("**/thanks")
    page.wait_for_function(f"!JSON.stringify(({KEPT})()).includes('{own.split('/')[-2]}')")
    assert list(page.evaluate(KEPT).values()) == [""]
    assert ranked.scores(link) == ({}, [])
