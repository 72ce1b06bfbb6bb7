"""One table recorded on two devices: photos of one leave what the other corrected by hand."""

from dataclasses import replace

import pytest
from playwright.sync_api import expect

from tests.browser.recording_page import GROUPS
from tests.browser.test_photo_corrections import scribbled

pytestmark = pytest.mark.browser

STAYS = "Card 7 stays in group 1, where it was put by hand; the photo shows it elsewhere."


@pytest.fixture
def phone(table, tmp_path):
    """A second page of the table, whose cards the first one recorded with a photo."""
    page = table.page
    page.locator("#photo-table").set_input_files(table.photo(GROUPS, tmp_path / "table.jpg"))
    page.get_by_role("button", name="Confirm 3 groups").click()
    table.saved(11)
    other = page.context.new_page()
    other.goto(table.address)
    expect(other.locator("#count")).to_have_text("11 of 12")
    return other


def photograph(table, phone, folder):
    """Photograph the table again; returns what is said of the photo, and points to check."""
    photo = table.photo(GROUPS, folder / "again.jpg", 2)
    phone.locator("#photo-table").set_input_files(photo)
    words = phone.locator("#proposal .sum")
    expect(words).to_contain_text("11 of 12 cards in 3 groups.")
    return words, phone.locator("#proposal .found")


def correct(table):
    """Move card 7 to group 1 by hand, so that the server knows it."""
    table.page.locator(".group button[aria-label^='Card 7,']").click()
    with table.page.expect_response(lambda answer: answer.url.endswith("/acts") and answer.ok):
        table.page.get_by_role("button", name="Move to group 1").click()
    table.expect_in_group(7, 1)


def group_of(table, card):
    """The number of the group of a card, from its badge."""
    return table.page.locator(f".group:has(button[aria-label^='Card {card},']) .badge").inner_text()


def stop_polling(page):
    """Let a page not know what the other device does, once it waits for no earlier answer."""
    with page.expect_event("requestfailed", lambda request: "/table?" in request.url):
        page.route("**/table?*", lambda route: route.abort())


def test_a_later_photo_leaves_a_card_that_was_corrected_by_hand(table, phone, tmp_path):
    correct(table)
    words, points = photograph(table, phone, tmp_path)
    expect(points.locator("li")).to_contain_text([STAYS])
    expect(words).not_to_contain_text("will move")
    phone.get_by_role("button", name="Confirm 3 groups").click()
    expect(phone.locator(".photo-thumb.open")).to_have_count(0)
    expect(phone.locator("#saved")).to_have_text("· saved")
    table.expect_in_group(7, 1)
    # unless the conductor decides for the photo, which then stays so
    phone.locator("#photo-table").set_input_files(table.photo(GROUPS, tmp_path / "third.jpg", 3))
    # beside another point: a card is nowhere to be seen
    points.locator("summary").click()
    points.get_by_role("button", name=f"Group {group_of(table, 4)}").click()
    expect(points).not_to_contain_text("by hand")
    expect(words).to_contain_text("1 card will move out of the recorded group.")
    phone.get_by_role("button", name="Confirm 3 groups").click()
    table.expect_in_group(7, group_of(table, 4))


def test_a_card_corrected_while_a_photo_is_open_elsewhere_stays_corrected(table, phone, tmp_path):
    words, points = photograph(table, phone, tmp_path)
    expect(points.filter(has_text="by hand")).to_have_count(0)
    phone.locator("#proposal").get_by_role("checkbox", name="Card 1,").click()
    correct(table)
    expect(points.locator("li")).to_contain_text([STAYS])
    expect(words).not_to_contain_text("will move")
    # what was chosen still is
    expect(phone.locator("#proposal g.card.chosen")).to_have_count(1)


def test_a_photo_confirmed_before_the_correction_is_known_asks(table, phone, tmp_path):
    photograph(table, phone, tmp_path)
    stop_polling(phone)
    correct(table)
    phone.get_by_role("button", name="Confirm 3 groups").click()
    message = phone.locator("#messages > div")
    expect(message).to_contain_text("Card 7 is already in group 1.")
    table.expect_in_group(7, 1)
    message.get_by_role("button", name=f"Move it to group {group_of(table, 4)}").click()
    table.expect_in_group(7, group_of(table, 4))


def test_a_card_corrected_on_the_photo_is_corrected_by_hand(table, tmp_path):
    page, proposal = table.page, table.page.locator("#proposal")
    page.locator("#photo-table").set_input_files(table.photo(GROUPS, tmp_path / "table.jpg"))
    proposal.get_by_role("checkbox", name="Card 7,").click()
    proposal.get_by_role("button", name="Group 1,").click()
    page.get_by_role("button", name="Confirm 3 groups").click()
    table.expect_in_group(7, 1)
    _words, points = photograph(table, page, tmp_path)
    expect(points.locator("li")).to_contain_text([STAYS])


def test_undo_does_not_take_back_what_the_other_device_confirmed(table, tmp_path):
    page = table.page
    page.locator("#photo-table").set_input_files(table.photo(GROUPS, tmp_path / "table.jpg"))
    confirmed = page.get_by_role("button", name="Confirm 3 groups")
    expect(confirmed).to_be_visible()
    phone = page.context.new_page()
    phone.goto(table.address)
    phone.get_by_role("button", name="Show the photo").click()
    stop_polling(phone)
    confirm = phone.get_by_role("button", name="Confirm 3 groups")
    expect(confirm).to_be_visible()
    confirmed.click()
    table.saved(11)
    confirm.click()
    expect(phone.locator("#messages")).to_contain_text("Nothing left to confirm.")
    undo = phone.get_by_role("button", name="Undo")
    expect(undo).to_be_disabled()
    phone.unroute("**/table?*")
    phone.reload()
    expect(phone.locator("#count")).to_have_text("11 of 12")
    expect(undo).to_be_disabled()
    # its next step can be undone, and the other device's Undo takes back its own
    phone.locator("#number").fill("12")
    phone.locator("#number").press("Enter")
    table.saved(12)
    undo.click()
    table.saved(11)
    page.get_by_role("button", name="Undo").click()
    table.saved(0)


def test_a_photo_of_one_group_says_once_that_a_card_is_in_another_group(table, tmp_path):
    """Also if this device does not know yet that the other one recorded it, and beside a card that
    was not read."""
    page, messages = table.page, table.page.locator("#messages > div")
    phone = page.context.new_page()
    phone.goto(table.address)
    stop_polling(page)
    phone.locator("#number").fill("3")
    phone.locator("#number").press("Enter")
    expect(phone.locator("#count")).to_have_text("1 of 12")
    expect(phone.locator("#saved")).to_have_text("· saved")
    page.get_by_role("button", name="Next group").click()
    lying = dict(table.printed.cards)
    lying["shapes02"] = scribbled(lying["shapes02"])
    table.printed = replace(table.printed, cards=lying)
    page.locator("#photo-group").set_input_files(table.photo([[2, 3, 4]], tmp_path / "one.jpg"))
    words = page.locator("#proposal .sum")
    expect(words).to_contain_text("1 card not read, ringed.")
    expect(messages).to_have_count(1)
    expect(messages).to_contain_text("Card 3 is already in group 1.")
    expect(words).not_to_contain_text("will move")
    messages.get_by_role("button", name="Move it to group 2").click()
    table.expect_in_group(3, 2)
    expect(words).not_to_contain_text("will move")


def test_a_group_that_a_photo_does_not_show_is_not_counted(table, phone, tmp_path):
    correct(table)
    phone.locator("#photo-table").set_input_files(table.photo(GROUPS[1:], tmp_path / "part.jpg", 2))
    words, count = phone.locator("#proposal .sum"), phone.locator("#groups-seen")
    expect(words).to_contain_text("8 of 12 cards in 3 groups.")
    expect(count).to_have_value("2")
    phone.get_by_role("button", name="One group fewer").click()
    expect(words).to_contain_text("8 of 12 cards in 2 groups.")
    expect(count).to_have_value("1")
