"""Cards on photos that were not read and that the conductor identifies."""

from dataclasses import replace

import pytest
from playwright.sync_api import expect

from tests.browser.recording_page import GROUPS
from tests.browser.test_photo_corrections import number_on_photo, scribbled

pytestmark = pytest.mark.browser


@pytest.fixture
def unread(table):
    """A table whose card 6 is not read in photos."""
    cards = table.printed.cards
    table.printed = replace(
        table.printed, cards={**cards, "shapes06": scribbled(cards["shapes06"])}
    )
    return table


def identify(page):
    page.locator("#proposal").get_by_role("button", name="A card that was not read").click()
    page.get_by_role("dialog").get_by_role("button", name="Card 6,").click()


def test_an_identified_card_enters_the_group_that_a_duplicate_beside_it_is_in(unread, tmp_path):
    page, proposal = unread.page, unread.page.locator("#proposal")
    # the second card 1 is between card 6 and the cards of its group that are read
    laid = unread.photo([[1, 2, 3], [4, 1, 6, 5]], tmp_path / "table.jpg", 3)
    page.locator("#photo-table").set_input_files(laid)
    expect(proposal.get_by_role("img", name="Card 1 appears twice")).to_be_visible()
    identify(page)
    expect(proposal.locator(".sum")).to_contain_text("6 of 12 cards in 2 groups.")
    assert number_on_photo(proposal, 6) == number_on_photo(proposal, 4)


def test_an_identified_card_enters_the_group_that_the_one_beside_it_is_merged_into(
    unread, tmp_path
):
    page, proposal = unread.page, unread.page.locator("#proposal")
    page.locator("#photo-table").set_input_files(unread.photo(GROUPS, tmp_path / "table.jpg"))
    for card in (1, 4):
        proposal.get_by_role("button", name=f"Group {number_on_photo(proposal, card)},").click()
    proposal.get_by_role("button", name="Merge").click()
    identify(page)
    for _ in range(2):
        expect(proposal.locator(".sum")).to_contain_text("11 of 12 cards in 2 groups.")
        assert number_on_photo(proposal, 6) == number_on_photo(proposal, 1)
        page.reload()
        page.locator(".photo-thumb.open").click()
