"""Cards on photos that were not read and that the conductor identifies."""

from dataclasses import replace

import pytest
from PIL import Image
from playwright.sync_api import expect

from tests.browser.page_checks import accessible
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
    page.locator(".pick > .stimuli").get_by_role("button", name="Card 6,").click()


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


def test_a_card_identified_on_a_photo_that_is_discarded_is_so_on_another_one(unread, tmp_path):
    """Also after the confirmation of both is undone."""
    page, proposal = unread.page, unread.page.locator("#proposal")
    words = proposal.locator(".sum")
    first, second = tmp_path / "table.jpg", tmp_path / "again.jpg"
    Image.open(unread.photo(GROUPS, first)).save(second, quality=80)
    page.locator("#photo-table").set_input_files(first)
    expect(words).to_contain_text("10 of 12 cards in 3 groups. 1 card not read, ringed.")
    page.locator("#photo-table").set_input_files(second)
    expect(proposal.get_by_text("Photo 1 of 2")).to_be_visible()
    identify(page)
    page.get_by_role("button", name="Confirm 3 groups").click()
    unread.saved(11)
    page.get_by_role("button", name="Undo").click()
    unread.saved(0)
    page.get_by_role("button", name="Show the photos").click()
    page.get_by_role("button", name="Discard this photo").click()
    expect(proposal.get_by_text("Photo 1 of 2")).to_have_count(0)
    expect(words).to_have_text("11 of 12 cards in 3 groups. 1 card not photographed yet.")


def test_the_missing_cards_with_the_most_similar_sketches_are_offered(unread, tmp_path):
    page, proposal = unread.page, unread.page.locator("#proposal")
    page.locator("#photo-table").set_input_files(unread.photo(GROUPS, tmp_path / "table.jpg"))
    ring = proposal.get_by_role("button", name="A card that was not read")
    similar = page.locator(".pick .likely")
    # without a connection, all missing cards are offered; on a narrow phone nothing is cut off
    page.set_viewport_size({"width": 320, "height": 640})
    page.route("**/likely/*", lambda route: route.abort())
    ring.click()
    expect(similar).to_have_text("")
    expect(page.locator(".pick > .stimuli button")).to_have_count(2)
    page.keyboard.press("Escape")
    page.unroute("**/likely/*")
    # the code is covered, the sketch is not
    ring.press("Enter")
    expect(similar).to_contain_text("Most similar")
    names = ["Card 6, shapes06", "Card 12, shapes12"]
    for tile, name in zip(similar.get_by_role("button").all(), names, strict=True):
        expect(tile).to_have_accessible_name(name)
    accessible(page)
    assert page.locator(".pick").evaluate("dialog => dialog.scrollWidth <= dialog.clientWidth")
    # the first of them is one stop of the Tab key before the others
    page.keyboard.press("Shift+Tab")
    expect(similar.get_by_role("button").first).to_be_focused()
    page.keyboard.press("Enter")
    expect(proposal.locator(".sum")).to_contain_text("11 of 12 cards in 3 groups.")
    assert number_on_photo(proposal, 6) == number_on_photo(proposal, 4)


def test_no_sketch_is_compared_if_every_card_is_in_a_group(unread, tmp_path):
    page, dialog = unread.page, unread.page.locator(".pick")
    page.locator("#photo-table").set_input_files(unread.photo(GROUPS, tmp_path / "table.jpg"))
    ring = page.locator("#proposal").get_by_role("button", name="A card that was not read")
    expect(ring).to_have_count(1)
    for card in ("6", "12"):
        unread.type(card)
    unread.saved(2)
    ring.click()
    expect(dialog).to_contain_text("Every card is already in a group.")
    expect(dialog.locator(".likely")).to_have_text("")
    expect(dialog.locator(".stimuli:visible")).to_have_count(0)
