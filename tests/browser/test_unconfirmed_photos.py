"""Photos that are not confirmed yet, or discarded, on a page that was loaded again and on a second
page."""

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
    messages.get_by_role("button", name="Show the photo").press("Enter")
    expect(words).to_contain_text("11 of 12 cards in 3 groups.")
    expect(messages).to_have_count(0)
    expect(page.locator("#proposal")).to_be_focused()
    page.get_by_role("button", name="Confirm 3 groups").click()
    table.saved(11)
    expect(messages).to_have_count(0)
    page.get_by_role("button", name="Undo").press("Enter")
    table.saved(0)
    # the button is disabled, since nothing is left to undo
    expect(page.locator("#steps")).to_be_focused()
    expect(messages).to_contain_text("1 photo is not confirmed.")
    messages.get_by_role("button", name="Decide later").press("Enter")
    expect(page.locator("#messages")).to_be_focused()
    with page.expect_response("**/table?*"):
        expect(messages).to_have_count(0)
    expect(messages).to_have_count(0)
    page.locator(".photo-thumb.open").click()
    page.get_by_role("button", name="Discard photo").click()
    expect(page.locator(".photo-thumb.discarded")).to_have_count(1)
    page.reload()
    expect(page.locator(".photo-thumb.discarded")).to_have_count(1)
    expect(messages).to_have_count(0)
    # the same photo, chosen again, is no longer discarded
    page.locator("#photo-files").set_input_files(tmp_path / "table.jpg")
    expect(words).to_contain_text("11 of 12 cards in 3 groups.")
    expect(words).not_to_contain_text("discarded")
    expect(page.locator(".photo-thumb.discarded")).to_have_count(0)
    page.get_by_role("button", name="Discard photo").click()
    expect(page.locator(".photo-thumb.discarded")).to_have_count(1)


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


def test_one_of_several_photos_is_discarded(table, tmp_path):
    """As after the table was changed: the earlier photo contradicts the later one."""
    page, proposal = table.page, table.page.locator("#proposal")
    words, discard = proposal.locator(".sum"), proposal.get_by_role("button", name="Discard")
    page.locator("#photo-table").set_input_files(table.photo(GROUPS, tmp_path / "first.jpg"))
    expect(words).to_contain_text("11 of 12 cards in 3 groups.")
    laid = [[1, 5, 9], [2, 6, 10, 12], [3, 7, 11], [4, 8]]
    page.locator("#photo-table").set_input_files(table.photo(laid, tmp_path / "second.jpg", 2))
    expect(proposal.get_by_text("Photo 1 of 2")).to_be_visible()
    # in one sentence, however many cards were moved
    expect(proposal.locator(".found")).to_contain_text(
        "Photo 1 shows another table, or cards were moved: discard the wrong photo."
    )
    # it is clear which of the two buttons discards which photos
    expect(discard).to_have_text(["Discard this photo", "Discard both photos"])
    discard.first.click()
    expect(words).to_contain_text("12 of 12 cards in 4 groups.")
    expect(discard.filter(visible=True)).to_have_text(["Discard photo"])
    expect(page.locator(".photo-thumb.discarded")).to_have_count(1)
    page.get_by_role("button", name="Confirm 4 groups").click()
    table.saved(12)
    assert len({*map(str, laid)}) == page.locator(".group").count()
    page.get_by_role("button", name="Finish sitting").click()
    expect(page.get_by_text("All 12 cards are in a group.")).to_be_visible()


def test_the_number_of_groups_is_the_same_when_the_page_is_loaded_again(table, tmp_path):
    page, proposal = table.page, table.page.locator("#proposal")
    words, seen = proposal.locator(".sum"), page.get_by_label("How many groups do you see?")
    show = page.get_by_role("button", name="Show the photo")
    page.locator("#photo-table").set_input_files(table.photo(GROUPS, tmp_path / "table.jpg"))
    expect(words).to_contain_text("in 3 groups.")
    page.get_by_role("button", name="One group fewer").click()
    expect(words).to_contain_text("in 2 groups.")
    # a group that is split by hand counts, too
    proposal.get_by_role("checkbox", name="Card 9,").click()
    page.get_by_role("button", name="New group of 1").click()
    expect(words).to_contain_text("in 3 groups.")
    page.reload()
    show.click()
    expect(words).to_contain_text("in 3 groups.")
    # a number that was refused does not
    seen.fill("99")
    seen.press("Enter")
    expect(page.locator("#messages")).to_contain_text("11 cards cannot")
    page.reload()
    show.click()
    expect(words).to_contain_text("in 3 groups.")
