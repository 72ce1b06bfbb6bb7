"""Photos that are not confirmed yet, on a page that was loaded again and on a second page."""

import pytest
from playwright.sync_api import expect

from tests.browser.recording_page import GROUPS

pytestmark = pytest.mark.browser


def test_a_photo_that_is_not_confirmed_is_said_to_be_so_while_it_is_not_shown(table, tmp_path):
    page, messages = table.page, table.page.locator("#messages > div")
    words = page.locator("#proposal .sum")
    page.locator("#photo-table").set_input_files(table.photo(GROUPS, tmp_path / "table.jpg"))
    expect(words).to_contain_text("11 of 12 cards in 3 groups.")
    expect(messages).to_have_count(0)
    page.reload()
    expect(messages).to_contain_text("1 photo is not confirmed.")
    # to finish says the same, once
    page.get_by_role("button", name="Finish sitting").click()
    expect(messages).to_have_count(1)
    messages.get_by_role("button", name="Show the photo").click()
    expect(words).to_contain_text("11 of 12 cards in 3 groups.")
    expect(messages).to_have_count(0)
    page.get_by_role("button", name="Confirm 3 groups").click()
    table.saved(11)
    expect(messages).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    table.saved(0)
    expect(messages).to_contain_text("1 photo is not confirmed.")
    messages.get_by_role("button", name="Decide later").click()
    with page.expect_response("**/table?*"):
        expect(messages).to_have_count(0)
    expect(messages).to_have_count(0)
    page.locator(".photo-thumb.open").click()
    page.get_by_role("button", name="Discard photo").click()
    expect(page.locator(".photo-thumb.discarded")).to_have_count(1)
    page.reload()
    expect(page.locator(".photo-thumb.discarded")).to_have_count(1)
    expect(messages).to_have_count(0)


def test_what_a_second_page_does_with_a_photo_is_said_on_the_first_and_loses_nothing(
    table, tmp_path
):
    page = table.page
    words, discard = (
        page.locator("#proposal .sum"),
        page.get_by_role("button", name="Discard photo"),
    )
    page.locator("#photo-table").set_input_files(table.photo(GROUPS, tmp_path / "table.jpg"))
    expect(words).to_contain_text("11 of 12 cards in 3 groups.")
    page.locator("#proposal").get_by_role("checkbox", name="Card 3,").click()
    page.get_by_role("button", name="New group of 1").click()
    expect(words).to_contain_text("11 of 12 cards in 4 groups.")
    other = page.context.new_page()
    other.goto(table.address)
    other.get_by_role("button", name="Show the photo").click()
    other.get_by_role("button", name="Discard photo").click()
    expect(words).to_contain_text("This photo was discarded. 11 of 12 cards in 4 groups.")
    expect(discard).to_have_count(0)
    other.get_by_role("button", name="Undo").click()
    other.get_by_role("button", name="Show the photo").click()
    other.get_by_role("button", name="Confirm 3 groups").click()
    expect(words).to_contain_text("1 card will move out of the recorded group.")
    page.get_by_role("button", name="Confirm 4 groups").click()
    table.saved(11)
    for shown in (page, other):
        expect(shown.locator(".group:not(.current) .badge")).to_have_text(["1", "2", "3", "4"])
        expect(shown.locator("#messages > div")).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(other.locator(".group:not(.current) .badge")).to_have_text(["1", "2", "3"])
    expect(other.locator("#count")).to_have_text("11 of 12")
