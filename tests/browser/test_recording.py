"""A table recorded in a real browser: by photo, scanner and hand."""

import re

import pytest
from playwright.sync_api import expect

from printables.cards.codes import encode, header_code
from tests.browser.page_checks import fits, no_line_begins_with_a_dot, wait_until
from tests.browser.recording_page import GROUPS, HIGH, LISTEN, LOW

pytestmark = pytest.mark.browser

# On how many lines the text of an element is.
LINES = """(element) => {
  const text = document.createRange();
  text.selectNodeContents(element);
  return text.getClientRects().length;
}"""

AZERTY = dict(zip("1234567890", "&é\"'(-è_çà", strict=True))


def test_recording_by_photo_with_corrections(table, tmp_path):
    page = table.page
    page.locator("#photo-table").set_input_files(table.photo(GROUPS, tmp_path / "table.jpg"))
    proposal = page.locator("#proposal")
    expect(proposal.locator(".sum")).to_contain_text("11 of 12 cards in 3 groups")
    # card 3 belongs to the second group; with the keyboard
    card = proposal.get_by_role("checkbox", name="Card 3,")
    card.focus()
    page.keyboard.press("Space")
    expect(card).to_have_attribute("aria-checked", "true")
    expect(proposal.get_by_role("img", name="Card 3, shapes03")).to_be_visible()
    number = card.get_attribute("aria-label").split("group ")[1]
    four = proposal.get_by_role("checkbox", name="Card 4,").get_attribute("aria-label")
    target = four.split("group ")[1]
    assert target != number
    page.keyboard.type(target)
    page.keyboard.press("Enter")
    expect(card).to_have_attribute("aria-label", f"Card 3, shapes03, group {target}")
    page.get_by_role("button", name="Confirm 3 groups").click()
    table.saved(11)
    table.expect_in_group(3, target)
    table.expect_in_group(4, target)
    # the last card by hand, then a wrong one moved, undone, and the sitting finished without it
    page.locator("#missing button").click()
    table.saved(12)
    page.get_by_role("button", name="Undo").click()
    table.saved(11)
    page.get_by_role("button", name="Finish sitting").click()
    page.get_by_label("Why is it missing?").fill("fell off the table")
    page.locator("#finish-dialog").get_by_role("button", name="Finish sitting").click()
    page.wait_for_url("**/T001")
    expect(page.locator(".table-side")).to_contain_text("fell off the table")
    expect(page.locator(".table-side")).to_contain_text("11 of 12 cards in 3 groups")


def test_recording_by_scanner_keyboard_and_header_cards(table):
    page = table.page
    page.add_init_script(LISTEN)
    page.reload()
    code = table.printed.codes
    table.type(encode(header_code(4)))
    table.type(code[0])
    table.saved(1)
    table.expect_in_group(1, 4)
    # a scanner types wherever the focus is, and leaves nothing behind in the field
    page.get_by_label("Card number").focus()
    table.scan(code[1])
    table.saved(2)
    expect(page.get_by_label("Card number")).to_have_value("")
    # a scanner that falters after two digits, in the field
    table.scan(code[6][:2], code[6][2:])
    table.saved(3)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Undo").click()
    table.saved(2)
    page.evaluate("document.activeElement.blur()")
    press = """(keys) => { for (const [key, code] of keys) document.body.dispatchEvent(
        new KeyboardEvent('keydown', { key, code, bubbles: true })); }"""
    for card, with_codes in ((2, True), (3, False)):
        keys = [[AZERTY[d], f"Digit{d}" if with_codes else ""] for d in code[card]]
        page.evaluate(press, [*keys, ["Enter", "Enter"]])
        table.saved(card + 1)
    page.keyboard.press("n")
    table.type("5")
    table.saved(5)
    table.expect_in_group(4, 4)
    table.expect_in_group(5, 5)
    # a card scanned twice gives a message with a button
    table.type(code[0])
    messages = page.locator("#messages .refusal")
    expect(messages).to_contain_text("Card 1 is already in group 4")
    messages.get_by_role("button", name="Move it to group 5").click()
    table.saved(5)
    table.expect_in_group(1, 5)
    wrong = code[6][:-1] + str((int(code[6][-1]) + 1) % 10)
    table.type(wrong)
    expect(page.locator("#messages .refusal").first).to_contain_text("fails its check digits")
    # two numbers are not one
    table.type("1 2")
    expect(messages.first).to_contain_text("'1 2' are several numbers; enter one card")
    assert page.evaluate("tones") == [HIGH] * 7 + [LOW] * 3
    page.keyboard.press("z")
    expect(page.locator(".group:has(button[aria-label^='Card 1,']) .badge")).to_have_text("4")


def test_the_same_message_again_takes_the_place_of_the_earlier(table):
    messages = table.page.locator("#messages .refusal")
    for text in ("hello1", "hello2", "hello1", "hello1"):
        table.page.get_by_label("Card number").fill(text)
        table.page.keyboard.press("Enter")
        expect(messages.first).to_contain_text(text)
    expect(messages).to_have_count(2)


def test_groups_are_merged_split_and_renamed_and_cards_removed(table):
    page = table.page
    for card in (1, 2, 3):
        table.type(str(card))
    page.keyboard.press("n")
    table.type("4")
    table.saved(4)
    for card in (2, 3):
        page.locator(f".group button[aria-label^='Card {card},']").click()
    bar = page.get_by_role("toolbar", name="Chosen cards")
    with page.expect_response("**/table?*"):
        bar.get_by_role("button", name="New group").focus()
    with page.expect_response("**/table?*"):
        expect(bar.get_by_role("button", name="New group")).to_be_focused()
    page.keyboard.press("Enter")
    table.saved(4)
    expect(page.locator(".group button[aria-label^='Card 2,']")).to_be_focused()
    table.expect_in_group(1, 1)
    table.expect_in_group(2, 3)
    table.expect_in_group(3, 3)
    table.expect_in_group(4, 2)
    page.get_by_role("button", name="Name, note or merge group 3").click()
    page.locator("#group-dialog").get_by_label("Name").fill("round ones")
    page.get_by_label("Move all its cards to").select_option(label="Group 2")
    page.get_by_role("button", name="Save").click()
    table.saved(4)
    table.expect_in_group(2, 2)
    table.expect_in_group(3, 2)
    table.expect_in_group(4, 2)
    page.locator(".group button[aria-label^='Card 4,']").click()
    bar.get_by_role("button", name="Remove from the table").click()
    table.saved(3)
    page.reload()
    table.saved(3)
    table.expect_in_group(1, 1)
    table.expect_in_group(2, 2)
    table.expect_in_group(3, 2)
    table.expect_unplaced(4)


def test_a_photo_of_one_group_on_a_phone(table, tmp_path):
    page = table.page
    page.set_viewport_size({"width": 390, "height": 844})
    page.locator("#photo-group").set_input_files(table.photo([[1, 2, 3]], tmp_path / "one.jpg"))
    table.saved(3)
    page.get_by_role("button", name="Next group").click()
    page.locator("#photo-group").set_input_files(table.photo([[3, 4]], tmp_path / "two.jpg"))
    table.saved(4)
    # in one message
    message = page.locator("#messages > div", has_not_text="3 cards read for group 1.")
    expect(message).to_contain_text(["Card 3 is already in group 1."])
    fits(page)


def test_contradictions_between_photos_are_reported(table, tmp_path):
    page = table.page
    page.locator("#photo-table").set_input_files(table.photo(GROUPS, tmp_path / "one.jpg"))
    expect(page.locator("#proposal .sum")).to_contain_text("11 of 12 cards")
    swapped = [[1, 2, 8], [4, 5, 6, 7], [3, 9, 10, 11]]
    page.locator("#photo-table").set_input_files(table.photo(swapped, tmp_path / "two.jpg"))
    points = page.locator("#proposal .found li")
    for card in (3, 8):
        expect(points.filter(has_text=f"Card {card} appears in two places")).to_have_count(1)


def test_header_cards_on_the_photo_number_the_groups(table, tmp_path):
    page = table.page
    laid = [["Group 5", 1, 2, 3], [4, 5, 6, 7], ["Group 2", 8, 9, 10, 11]]
    page.locator("#photo-table").set_input_files(table.photo(laid, tmp_path / "table.jpg"))
    proposal = page.locator("#proposal")
    expect(proposal.locator(".sum")).to_contain_text(
        "11 of 12 cards in 3 groups. 2 header cards read."
    )
    for card, group in ((1, 5), (8, 2), (4, 6)):
        shown = proposal.get_by_role("checkbox", name=f"Card {card},", exact=False).first
        expect(shown).to_have_attribute("aria-label", re.compile(f", group {group}$"))
    expect(proposal.get_by_role("img", name="Header card 5")).to_be_visible()
    chip = proposal.get_by_role("button", name="Group 5, 3 cards, header card 5")
    expect(chip).to_be_visible()
    page.get_by_role("button", name="Confirm 3 groups").click()
    table.saved(11)
    for card, group in ((1, 5), (8, 2), (4, 6)):
        table.expect_in_group(card, group)
    # a scanned header card leads on in its group
    table.type(encode(header_code(2)))
    table.type("12")
    table.saved(12)
    table.expect_in_group(12, 2)


def test_undo_reverts_the_last_event_of_any_kind(table, tmp_path):
    page = table.page
    page.locator("#photo-table").set_input_files(table.photo(GROUPS, tmp_path / "table.jpg"))
    page.get_by_role("button", name="Confirm 3 groups").click()
    table.saved(11)
    expect(page.locator(".photo-thumb.open")).to_have_count(0)
    title = page.locator(".group .title").first
    for name in ("round", "round ones"):
        page.get_by_role("button", name="Name, note or merge group 1").click()
        page.locator("#group-name").fill(name)
        page.get_by_role("button", name="Save").click()
        expect(title).to_have_text(name)
    undo = page.get_by_role("button", name="Undo")
    for title_then in ("round", "Group 1"):
        expect(undo).to_have_attribute("title", "Reverts a name or note")
        undo.click()
        expect(title).to_have_text(title_then)
    expect(undo).to_have_attribute("title", "Moves back 11 cards")
    undo.click()
    table.saved(0)
    # the photo waits again, and its groups get the numbers that they had
    page.locator(".photo-thumb.open").click()
    page.get_by_role("button", name="Discard photo").click()
    discarded = page.locator(".photo-thumb.discarded")
    expect(discarded).to_have_text("discarded")
    # it can be looked at: its cards are in no group
    discarded.click()
    expect(page.locator("#proposal .sum")).to_have_text("This photo was discarded.")
    page.get_by_role("button", name="Close photo").click()
    expect(page.locator(".photo-thumb.open")).to_have_count(0)
    expect(undo).to_have_attribute("title", "Reopens the photo")
    undo.click()
    expect(page.locator(".photo-thumb.discarded")).to_have_count(0)
    page.locator(".photo-thumb.open").click()
    page.get_by_role("button", name="Confirm 3 groups").click()
    table.saved(11)
    expect(page.locator(".group:not(.current) .badge")).to_have_text(["1", "2", "3"])


def test_a_full_table_fits_a_phone(table, tmp_path):
    page = table.page
    page.set_viewport_size({"width": 390, "height": 844})
    page.locator("#photo-files").set_input_files(table.photo(GROUPS, tmp_path / "table.jpg"))
    card = page.locator("#proposal").get_by_role("checkbox", name="Card 3,")
    card.click()
    expect(card).to_have_attribute("aria-checked", "true")
    # nothing covers the chips or the buttons
    page.get_by_role("button", name="Don't record").click()
    expect(card).to_have_attribute("aria-label", "Card 3, shapes03, left out")
    page.get_by_role("button", name="Confirm 3 groups").click()
    table.saved(10)
    page.locator(".group button.stimulus").first.click()
    fits(page)
    page.get_by_role("button", name="Move to group 3").click()
    table.saved(10)
    # a long name leaves the number of its group whole
    table.type(encode(header_code(12)))
    table.type("12")
    page.get_by_role("button", name="Name, note or merge group 12").click()
    page.locator("#group-name").fill("W" * 80)
    page.locator("#group-dialog").get_by_role("button", name="Save").click()
    expect(page.locator(".group .title").last).to_have_text("W" * 80)
    assert page.locator(".group .badge").last.evaluate(LINES) == 1
    fits(page)
    no_line_begins_with_a_dot(page, ".sum")


def test_the_heading_keeps_its_order_from_right_to_left(table):
    table.page.evaluate("document.documentElement.dir = 'rtl'")
    words = table.page.locator("#record h1 bdi")
    expect(words).to_have_text(["T001", "P01", "shapes", "A"])
    places = [word.bounding_box()["x"] for word in words.all()]
    assert places == sorted(places, reverse=True)


def test_the_tools_for_chosen_cards_are_above_a_foot_of_any_height(table):
    page = table.page
    page.set_viewport_size({"width": 320, "height": 640})
    page.locator("#number").fill("1")
    page.keyboard.press("Enter")
    table.saved(1)
    page.locator(".group button.stimulus").first.click()
    for words in ("Next group", "Zur nächsten Gruppe, in die alle weiteren Karten kommen"):
        page.locator("#next-group").evaluate("(button, words) => button.textContent = words", words)
        ends = "([hand, foot]) => hand.getBoundingClientRect().bottom <= foot.offsetTop"
        wait_until(page, f"({ends})([...document.querySelectorAll('.hand, .foot')])")


def test_on_a_low_screen_the_foot_covers_nothing_that_has_the_focus(table):
    page = table.page
    page.set_viewport_size({"width": 640, "height": 400})
    page.locator(".brand").focus()
    state = """() => {
      const [{ bottom }, foot] = [document.activeElement, document.querySelector(".foot")]
        .map((one) => one.getBoundingClientRect());
      if (document.activeElement.closest(".foot")) return "in the foot";
      return bottom > foot.top ? document.activeElement.outerHTML : "in sight";
    }"""
    states = []
    while "in the foot" not in states:
        page.keyboard.press("Tab")
        states.append(page.evaluate(state))
    assert len(states) > 12 and set(states) == {"in sight", "in the foot"}


def test_a_second_tablet_sees_that_a_photo_was_confirmed(table, tmp_path):
    page = table.page
    page.locator("#photo-table").set_input_files(table.photo(GROUPS, tmp_path / "table.jpg"))
    expect(page.get_by_role("button", name="Confirm 3 groups")).to_be_visible()
    other = page.context.new_page()
    other.goto(page.url)
    other.locator(".photo-thumb.open").click()
    expect(other.get_by_role("button", name="Confirm 3 groups")).to_be_visible()
    page.bring_to_front()
    page.get_by_role("button", name="Confirm 3 groups").click()
    table.saved(11)
    other.bring_to_front()
    expect(other.locator("#proposal .sum")).to_contain_text("Nothing left to confirm.")
    other.get_by_role("button", name="Close photo").click()
    expect(other.locator("#count")).to_have_text("11 of 12")
    expect(other.locator(".group:not(.current) .badge")).to_have_text(["1", "2", "3"])
