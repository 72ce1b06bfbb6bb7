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
