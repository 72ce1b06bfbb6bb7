"""The table as photos show it: counted, drawn around, cards named, nothing left unconfirmed."""

import re
from dataclasses import replace

import pytest
from playwright.sync_api import expect

from tests.browser.page_checks import accessible, fits
from tests.browser.recording_page import GROUPS
from tests.browser.test_photo_corrections import number_on_photo, scribbled

pytestmark = pytest.mark.browser

PHONE = {"width": 390, "height": 844}
TWO_LINES_PX = 60


def shown(page):
    return page.locator("#proposal .sum")


def test_the_conductor_can_set_the_number_of_groups(table, tmp_path):
    page = table.page
    expect(page.get_by_text("Leave a hand's width between groups")).to_be_visible()
    page.locator("#photo-table").set_input_files(table.photo(GROUPS, tmp_path / "table.jpg"))
    expect(shown(page)).to_contain_text("11 of 12 cards in 3 groups")
    seen = page.get_by_label("How many groups do you see?")
    expect(seen).to_have_value("3")
    page.get_by_role("button", name="One group fewer").click()
    expect(shown(page)).to_contain_text("11 of 12 cards in 2 groups")
    # with the keyboard, in the field itself
    expect(seen).to_be_focused()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("4")
    page.keyboard.press("Enter")
    expect(shown(page)).to_contain_text("11 of 12 cards in 4 groups")
    expect(seen).to_be_focused()
    # two presses in a row
    page.get_by_role("button", name="One group more").dblclick()
    expect(shown(page)).to_contain_text("11 of 12 cards in 6 groups")
    page.get_by_role("button", name="One group fewer").dblclick()
    expect(shown(page)).to_contain_text("11 of 12 cards in 4 groups")
    expect(seen).to_be_focused()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("99")
    page.keyboard.press("Enter")
    expect(page.locator("#messages")).to_contain_text("11 cards cannot")
    page.get_by_role("button", name="Confirm 4 groups").click()
    table.saved(11)


def test_a_photo_taken_before_the_scripts_are_loaded_is_read(table, tmp_path):
    page, held = table.page, []
    page.route("**/sittings/record.js*", lambda route: held.append(route))
    page.reload(wait_until="commit")
    page.locator("#photo-table").set_input_files(table.photo(GROUPS, tmp_path / "table.jpg"))
    held.pop().continue_()
    expect(shown(page)).to_contain_text("11 of 12 cards in 3 groups")
    expect(page.locator("#photo-table")).to_have_value("")


def test_cards_are_selected_by_lasso_and_by_arrow_keys(table, tmp_path):
    page = table.page
    page.locator("#photo-table").set_input_files(table.photo(GROUPS, tmp_path / "table.jpg"))
    proposal = page.locator("#proposal")
    cards = [proposal.get_by_role("checkbox", name=f"Card {card},") for card in (4, 5, 6, 7)]
    boxes = [card.bounding_box() for card in cards]
    left, top = (min(box[side] for box in boxes) - 4 for side in ("x", "y"))
    right = max(box["x"] + box["width"] for box in boxes) + 4
    bottom = max(box["y"] + box["height"] for box in boxes) + 4
    page.mouse.move(left, top)
    page.mouse.down()
    for x, y in ((right, top), (right, bottom), (left, bottom)):
        page.mouse.move(x, y, steps=8)
    page.mouse.up()
    expect(proposal.locator("g.card.chosen")).to_have_count(4)
    page.keyboard.press("Escape")
    expect(proposal.locator("g.card.chosen")).to_have_count(0)
    # where fingers draw instead of scrolling, the button shows it
    around, shown_on = page.get_by_role("button", name="Draw around"), []
    for _ in range(2):
        shown_on.append(around.evaluate("(button) => getComputedStyle(button).boxShadow"))
        around.click()
    assert shown_on[0] == "none" != shown_on[1]
    first = proposal.get_by_role("checkbox", name="Card 4,")
    first.focus()
    walked = 0
    for key in ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"):
        page.keyboard.press(f"Shift+{key}")
        walked = proposal.locator("g.card.chosen").count()
        if walked > 1:
            break
    assert walked == 2
    page.keyboard.press("n")
    expect(shown(page)).to_contain_text("in 4 groups")


def test_buttons_for_chosen_cards_and_groups_fit_on_a_phone(table, tmp_path):
    page = table.page
    page.set_viewport_size({"width": 360, "height": 740})
    page.locator("#photo-table").set_input_files(table.photo(GROUPS, tmp_path / "table.jpg"))
    proposal = page.locator("#proposal")
    expect(shown(page)).to_contain_text("11 of 12 cards in 3 groups")
    for card in proposal.get_by_role("checkbox").all():
        card.focus()
        page.keyboard.press("Space")
    expect(proposal.get_by_role("button", name="New group of 11")).to_be_visible()
    fits(page)
    expect(proposal.get_by_role("button", name="Cancel")).to_be_in_viewport(ratio=1)
    page.keyboard.press("Escape")
    seen = page.get_by_label("How many groups do you see?")
    seen.fill("11")
    page.keyboard.press("Enter")
    expect(proposal.locator(".chip")).to_have_count(11)
    for group in proposal.locator(".chip").all():
        group.click()
    expect(proposal.get_by_role("button", name="Merge 1, 2, 3, 4, 5")).to_be_visible()
    fits(page)


def test_an_unread_card_is_identified_and_put_into_the_nearest_group(table, tmp_path):
    page = table.page
    lying = dict(table.printed.cards)
    lying["shapes02"] = scribbled(lying["shapes02"])
    table.printed = replace(table.printed, cards=lying)
    page.locator("#photo-table").set_input_files(
        table.photo([[1, 2, 3], [4, 5, 6, 1]], tmp_path / "table.jpg")
    )
    proposal = page.locator("#proposal")
    expect(shown(page)).to_contain_text("1 card not read, ringed")
    beside = number_on_photo(proposal, 3)
    said = proposal.locator(".found li", has_text="1 card was not read")
    expect(said).to_have_count(1)
    ring = proposal.get_by_role("button", name="A card that was not read")
    ring.focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="Which card is this?")
    missing = dialog.locator("> .stimuli")
    expect(missing.get_by_role("button", name="Card 2,")).to_be_focused()
    accessible(page)
    # one stop of the tab key, whose arrows lead on; the dialog closes without a choice, too
    page.keyboard.press("ArrowRight")
    expect(missing.get_by_role("button", name="Card 7,")).to_be_focused()
    page.keyboard.press("Escape")
    expect(ring).to_be_focused()
    ring.click()
    missing.get_by_role("button", name="Card 2,").click()
    expect(ring).to_have_count(0)
    expect(said).to_have_count(0)
    expect(shown(page)).to_contain_text("6 of 12 cards in 2 groups. 6 cards not photographed yet.")
    assert number_on_photo(proposal, 2) == beside
    # the card remains identified if the groups are proposed again
    page.get_by_role("button", name="One group more").click()
    expect(shown(page)).to_contain_text("6 of 12 cards in 3 groups")
    expect(ring).to_have_count(0)
    page.get_by_role("button", name="One group fewer").click()
    expect(shown(page)).to_contain_text("6 of 12 cards in 2 groups")
    assert number_on_photo(proposal, 2) == beside
    # card 1 is in two groups: the message says which, and asks
    other = number_on_photo(proposal, 4)
    row = proposal.locator(".found li", has_text="Card 1 appears twice, in groups 1 and 2")
    choice = row.get_by_role("button", name=f"Group {other}")
    assert choice.bounding_box()["height"] < TWO_LINES_PX
    choice.click()
    assert number_on_photo(proposal, 1) == other
    page.get_by_role("button", name="Confirm 2 groups").click()
    table.saved(6)
    table.expect_in_group(2, beside)
    table.expect_in_group(1, other)


def test_a_card_remains_identified_if_a_further_photo_shows_it_better(table, tmp_path):
    page = table.page
    lying = dict(table.printed.cards)
    lying["shapes02"] = scribbled(lying["shapes02"])
    table.printed = replace(table.printed, cards=lying)
    groups = [[1, 2, 3], [4, 5, 6]]
    (tmp_path / "small.jpg").write_bytes(table.printed.photo(groups, 1, 6.0))
    page.locator("#photo-table").set_input_files(tmp_path / "small.jpg")
    rings = page.locator("#proposal").get_by_role("button", name="A card that was not read")
    rings.click()
    page.get_by_role("dialog").get_by_role("button", name="Card 2,").click()
    expect(shown(page)).to_contain_text("6 of 12 cards in 2 groups")
    page.locator("#photo-table").set_input_files(table.photo(groups, tmp_path / "large.jpg"))
    expect(page.get_by_text("Photo 1 of 2")).to_be_visible()
    expect(shown(page)).to_contain_text("6 of 12 cards in 2 groups")
    ring = page.locator("#proposal [aria-label^='A card that was not read']")
    expect(ring).to_have_count(0)


def test_an_unread_card_is_identified_without_the_photo(table, tmp_path):
    page = table.page
    page.route(re.compile(r"/photos/\d+$"), lambda route: route.abort())
    lying = dict(table.printed.cards)
    lying["shapes02"] = scribbled(lying["shapes02"])
    table.printed = replace(table.printed, cards=lying)
    photo = table.photo([[1, 2, 3], [4, 5, 6]], tmp_path / "table.jpg")
    with page.expect_event("requestfailed"):
        page.locator("#photo-table").set_input_files(photo)
    ring = page.locator("#proposal").get_by_role("button", name="A card that was not read")
    ring.focus()
    page.keyboard.press("Enter")
    page.get_by_role("dialog").get_by_role("button", name="Card 2,").click()
    expect(ring).to_have_count(0)


def test_a_sitting_with_waiting_photos_cannot_be_finished(table, tmp_path):
    page = table.page
    page.set_viewport_size(PHONE)
    page.locator("#photo-thumb").set_input_files(table.photo(GROUPS, tmp_path / "one.jpg"))
    expect(shown(page)).to_contain_text("11 of 12 cards in 3 groups")
    # the same table once more, from a phone with fewer pixels
    (tmp_path / "two.jpg").write_bytes(table.printed.photo(GROUPS, 1, 6.0))
    page.locator("#photo-table").set_input_files(tmp_path / "two.jpg")
    expect(page.get_by_text("Photo 1 of 2")).to_be_visible()
    confirm = page.get_by_role("button", name="Confirm 3 groups")
    for size in (PHONE, {"width": 1280, "height": 800}):
        page.set_viewport_size(size)
        expect(confirm).to_be_in_viewport(ratio=1)
        fits(page)
        accessible(page)
    expect(page.locator("#proposal .photo:visible")).to_have_count(1)
    page.get_by_role("button", name="Next photo").click()
    expect(page.get_by_text("Photo 2 of 2")).to_be_visible()
    page.reload()
    page.get_by_role("button", name="Finish sitting").click()
    messages = page.locator("#messages")
    expect(messages).to_contain_text("2 photos are not confirmed")
    messages.get_by_role("button", name="Show the photos").click()
    page.get_by_role("button", name="Confirm 3 groups").click()
    table.saved(11)
    finished = page.get_by_text("This sitting is finished.")
    expect(finished).to_be_hidden()
    page.get_by_role("button", name="Finish sitting").click()
    page.locator("#reason").fill("lost")
    page.locator("#finish-dialog").get_by_role("button", name="Finish sitting").click()
    page.wait_for_url("**/T001")
    # what a phone that may only record the sitting then sees
    page.goto(table.address)
    expect(finished).to_be_visible()


def test_a_photo_of_one_group_that_shows_several_asks_what_to_do(table, tmp_path):
    page = table.page
    page.locator("#photo-group").set_input_files(table.photo(GROUPS, tmp_path / "three.jpg"))
    messages = page.locator("#messages")
    expect(messages).to_contain_text("This photo shows 3 groups")
    messages.get_by_role("button", name="Decide later").click()
    page.get_by_role("button", name="Finish sitting").click()
    expect(messages).to_contain_text("Confirm the groups, or discard the photo.")
    messages.get_by_role("button", name="Show the photo").click()
    expect(messages).to_contain_text("This photo shows 3 groups")
    messages.get_by_role("button", name="Show 3 groups").click()
    page.get_by_role("button", name="Confirm 3 groups").click()
    table.saved(11)
    page.get_by_role("button", name="Undo").click()
    table.saved(0)
    page.locator("#photo-group").set_input_files(table.photo(GROUPS, tmp_path / "other.jpg", 4))
    messages.get_by_role("button", name="It is one group").click()
    table.saved(11)
    expect(page.locator(".group:not(.current) .badge")).to_have_count(0)
    expect(page.locator(".group.current .badge")).to_have_text("1")


def test_undo_and_finish_are_few_tab_stops_away(table):
    page = table.page
    for card in (1, 2, 3):
        table.type(str(card))
    table.saved(3)
    page.locator("#missing button").first.focus()
    stops = 0
    while page.evaluate("document.activeElement.id") != "undo":
        page.keyboard.press("Tab")
        stops += 1
        assert stops < 6
    page.locator("#missing button").nth(2).focus()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#missing button").nth(1)).to_be_focused()
    # a card that leaves hands the focus to the one after it
    page.keyboard.press("Enter")
    table.saved(4)
    expect(page.locator("#missing button").nth(1)).to_be_focused()
    expect(page.locator("#missing button").nth(1)).to_have_attribute("data-card", "6")


def test_groups_and_the_confirm_button_keep_the_focus_while_another_tablet_records(table, tmp_path):
    page = table.page
    page.locator("#photo-table").set_input_files(table.photo(GROUPS, tmp_path / "table.jpg"))
    confirm = page.get_by_role("button", name="Confirm 3 groups")
    # however many groups there are, they are one stop
    chips = page.locator(".chip")
    chips.first.focus()
    page.keyboard.press("ArrowRight")
    expect(chips.nth(1)).to_be_focused()
    other = page.context.new_page()
    other.goto(page.url)
    expect(other.locator("#count")).to_have_text("0 of 12")
    other.keyboard.type("12")
    other.keyboard.press("Enter")
    page.bring_to_front()
    expect(page.locator("#count")).to_have_text("1 of 12")
    expect(chips.nth(1)).to_be_focused()
    for _ in range(2):
        page.keyboard.press("Tab")
    expect(confirm).to_be_focused()
    other.get_by_role("button", name="Undo").click()
    expect(page.locator("#count")).to_have_text("0 of 12")
    expect(confirm).to_be_focused()
    page.keyboard.press("Enter")
    table.saved(11)


def test_a_slow_tap_is_not_lost_while_another_tablet_records(table, tmp_path):
    page = table.page
    page.locator("#photo-table").set_input_files(table.photo(GROUPS, tmp_path / "table.jpg"))
    proposal = page.locator("#proposal")
    proposal.get_by_role("checkbox", name="Card 10,").click()
    tapped = proposal.get_by_role("button", name="Don't record").element_handle()
    other = page.context.new_page()
    other.goto(page.url)
    expect(other.locator("#count")).to_have_text("0 of 12")
    other.keyboard.type("12")
    other.keyboard.press("Enter")
    page.bring_to_front()
    expect(page.locator("#count")).to_have_text("1 of 12")
    # a click is lost if its button is replaced between press and release
    assert tapped.evaluate("(button) => button.isConnected")


def test_a_file_that_the_server_would_refuse_is_not_sent(table, tmp_path):
    page, sent = table.page, []
    page.on("request", lambda request: sent.append(request.method))
    large = tmp_path / "table.mp4"
    with large.open("wb") as file:
        file.truncate(250_000_001)
    page.locator("#film").set_input_files(large)
    expect(page.locator("#messages")).to_contain_text(
        "table.mp4: is larger than 250 MB; film the table in parts"
    )
    small = table.photo(GROUPS, tmp_path / "table.jpg")
    page.locator("#film").set_input_files(small)
    expect(page.locator("#messages")).to_contain_text("table.jpg: is a photo")
    expect(page.locator("#waiting-photos li")).to_have_count(0)
    assert "POST" not in sent
    # it is a photo
    page.locator("#photo-files").set_input_files([small, large])
    expect(page.locator("#messages")).to_contain_text("table.mp4: is a video")
    expect(shown(page)).to_contain_text("11 of 12 cards in 3 groups")
    assert sent.count("POST") == 1
