"""Cards that are identified on photos while the groups on them are proposed again or settled."""

import pytest
from playwright.sync_api import expect

from tests.browser.recording_page import GROUPS
from tests.browser.test_identified_cards import identify, unread
from tests.browser.test_photo_corrections import number_on_photo

pytestmark = pytest.mark.browser
__all__ = ["unread"]

RING = "A card that was not read"


@pytest.fixture
def proposed(unread, tmp_path):
    """The table, with a photo of which one card was not read."""
    photo = unread.photo(GROUPS, tmp_path / "table.jpg")
    unread.page.locator("#photo-table").set_input_files(photo)
    expect(unread.page.locator("#proposal .sum")).to_contain_text("10 of 12 cards in 3 groups.")
    return unread


def hold_proposals(page):
    """Hold the next answer with proposed groups until the function that is returned is called."""
    held = []
    page.route("**/proposal?*", lambda route: held.append(route), times=1)

    def let_go():
        page.wait_for_timeout(0)
        for route in held:
            route.continue_()

    return let_go


def test_a_card_chosen_while_another_photo_is_read_is_in_the_new_groups(proposed, tmp_path):
    page, proposal = proposed.page, proposed.page.locator("#proposal")
    proposal.get_by_role("button", name=RING).click()
    second = proposed.photo([[8, 9, 10, 11]], tmp_path / "second.jpg", 5)
    page.locator("#photo-table").set_input_files(second)
    expect(proposal.locator(".pages")).to_contain_text("of 2")
    page.locator(".pick > .stimuli").get_by_role("button", name="Card 6,").click()
    expect(proposal.locator(".sum")).to_contain_text("11 of 12 cards in 3 groups.")
    page.get_by_role("button", name="Confirm 3 groups").click()
    proposed.saved(11)


def test_a_photo_that_was_confirmed_meanwhile_is_not_proposed_again(proposed):
    page = proposed.page
    let_go = hold_proposals(page)
    with page.expect_request("**/proposal?*"):
        page.get_by_role("button", name="One group more").click()
    page.get_by_role("button", name="Confirm 3 groups").click()
    proposed.saved(10)
    with page.expect_response("**/proposal?*"):
        let_go()
    expect(page.locator("#proposal")).to_be_hidden()
    expect(page.locator(".photo-thumb")).to_have_text("10 cards")


def test_a_card_taken_for_the_wrong_one_is_unread_again_and_can_be_identified(proposed):
    page, proposal = proposed.page, proposed.page.locator("#proposal")
    for _ in range(2):
        identify(page)
        expect(proposal.locator(".sum")).to_contain_text("11 of 12 cards in 3 groups.")
        proposal.get_by_role("checkbox", name="Card 6,").press(" ")
        page.get_by_role("button", name="Don't record").click()
        expect(proposal.locator(".sum")).to_contain_text("1 card not read, ringed.")
    identify(page)
    page.reload()
    page.locator(".photo-thumb.open").click()
    expect(proposal.locator(".sum")).to_contain_text("11 of 12 cards in 3 groups.")


def test_an_unread_card_of_a_confirmed_photo_enters_the_group_beside_it(proposed):
    page, proposal = proposed.page, proposed.page.locator("#proposal")
    page.get_by_role("button", name="Confirm 3 groups").click()
    proposed.saved(10)
    page.locator(".photo-thumb").click()
    identify(page)
    expect(proposal.locator(".sum")).to_contain_text("11 of 12 cards in 3 groups.")
    assert number_on_photo(proposal, 6) == number_on_photo(proposal, 4)
    page.get_by_role("button", name="Confirm 3 groups").click()
    proposed.saved(11)


def test_an_identified_card_is_not_unread_when_its_photo_is_opened_again(proposed):
    page, proposal = proposed.page, proposed.page.locator("#proposal")
    identify(page)
    page.get_by_role("button", name="Confirm 3 groups").click()
    proposed.saved(11)
    page.locator(".photo-thumb").click()
    expect(proposal.locator(".sum")).to_contain_text("cards in 3 groups.")
    expect(proposal.get_by_role("button", name=RING)).to_have_count(0)


def test_keys_after_a_split_record_no_card(proposed):
    page, proposal = proposed.page, proposed.page.locator("#proposal")
    proposal.get_by_role("checkbox", name="Card 1,").press(" ")
    page.get_by_role("button", name="New group of 1").press("Enter")
    expect(proposal.locator(".sum")).to_contain_text("10 of 12 cards in 4 groups.")
    expect(proposal).to_be_focused()


def test_a_held_key_only_opens_the_dialog(proposed):
    page = proposed.page
    page.locator("#proposal").get_by_role("button", name=RING).focus()
    page.evaluate(
        """() => document.activeElement.dispatchEvent(
            new KeyboardEvent("keydown", { key: "Enter", repeat: true, bubbles: true }))"""
    )
    expect(page.locator(".pick")).to_have_count(0)
    page.keyboard.press("Enter")
    expect(page.locator(".pick")).to_be_visible()
