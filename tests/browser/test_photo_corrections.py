"""Groups proposed from a photo, split and merged by tapping; unread cards are shown."""

from dataclasses import replace

import cv2
import pytest
from PIL import Image
from playwright.sync_api import expect

from tests.browser.recording_page import GROUPS

pytestmark = pytest.mark.browser

# The twelfth card is on no photo.
HIDDEN = "1 card not photographed yet."


def number_on_photo(proposal, card):
    """The group of a card on the photo."""
    words = proposal.get_by_role("checkbox", name=f"Card {card},").get_attribute("aria-label")
    return words.split("group ")[1]


def test_groups_are_split_and_merged_on_the_photo_by_tapping(table, tmp_path):
    page = table.page
    page.locator("#photo-table").set_input_files(table.photo(GROUPS, tmp_path / "table.jpg"))
    proposal = page.locator("#proposal")
    expect(proposal.locator(".sum")).to_have_text(f"11 of 12 cards in 3 groups. {HIDDEN}")
    first, second, third = (number_on_photo(proposal, card) for card in (1, 4, 8))
    for card in (8, 9):
        proposal.get_by_role("checkbox", name=f"Card {card},").click()
    expect(proposal.locator(".sight img")).to_have_count(2)
    proposal.get_by_role("button", name="New group of 2").click()
    expect(proposal.locator(".sum")).to_have_text(f"11 of 12 cards in 4 groups. {HIDDEN}")
    split = number_on_photo(proposal, 8)
    assert split not in (first, second, third) and split == number_on_photo(proposal, 9)
    assert third == number_on_photo(proposal, 10) == number_on_photo(proposal, 11)
    for group, size in ((first, 3), (second, 4)):
        chip = proposal.get_by_role("button", name=f"Group {group}, {size} cards")
        chip.click()
        expect(chip).to_have_attribute("aria-pressed", "true")
    expect(proposal.locator("g.card.chosen")).to_have_count(7)
    proposal.get_by_role("button", name=f"Merge {first} and {second}").click()
    expect(proposal.locator(".sum")).to_have_text(f"11 of 12 cards in 3 groups. {HIDDEN}")
    # a card that is left out is in sight all the same
    proposal.get_by_role("checkbox", name="Card 10,").click()
    proposal.get_by_role("button", name="Don't record").click()
    expect(proposal.locator(".sum")).to_have_text(f"10 of 12 cards in 3 groups. {HIDDEN}")
    page.get_by_role("button", name="Confirm 3 groups").click()
    table.saved(10)
    sizes = page.locator(".group:not(.current) .stimuli").evaluate_all(
        "(groups) => groups.map((group) => [...group.children].map((card) =>"
        " Number(/Card (\\d+)/.exec(card.ariaLabel)[1])).sort((a, b) => a - b))"
    )
    assert sorted(sizes) == [[1, 2, 3, 4, 5, 6, 7], [8, 9], [11]]


def doubt(page, cards, why):
    """Let nothing but the groups of these cards be in doubt."""

    def doubted(route):
        answer = route.fetch()
        proposed = answer.json()
        first = [
            next(group["key"] for group in proposed["groups"] if stimulus in group["cards"])
            for stimulus in cards
        ]
        words = why.format(*(f"{{{key}}}" for key in first))
        proposed["found"] = [{"words": words, "keys": [], "fewer": [], "doubted": first}]
        route.fulfill(response=answer, json=proposed)

    page.route("**/proposal?*", doubted)


def test_groups_in_doubt_for_the_same_reason_are_one_point(table, tmp_path):
    page, proposal = table.page, table.page.locator("#proposal")
    several = "Some groups may be one group: %(groups)s (a reason)."
    halves = "Some groups may be two groups: %(groups)s (a reason)."

    def doubted(route):
        answer = route.fetch()
        proposed = answer.json()
        keys = [group["key"] for group in proposed["groups"]]
        proposed["found"] = [
            {
                "words": f"Groups {{{one}}} and {{{other}}} may be one group: a reason.",
                "several": several,
                "doubted": [one, other],
            }
            for one, other in (keys[:2], keys[1:3])
        ]
        proposed["found"] += [
            {"words": f"Group {{{key}}}.", "several": halves, "doubted": [key]} for key in keys[:2]
        ]
        route.fulfill(response=answer, json=proposed)

    page.route("**/proposal?*", doubted)
    page.locator("#photo-table").set_input_files(table.photo(GROUPS, tmp_path / "table.jpg"))
    said = proposal.locator(".found li")
    first, second = said.first, said.nth(1)
    proposal.locator(".found summary").click()
    expect(first).to_have_text("Some groups may be one group: 1 + 2; 2 + 3 (a reason).")
    expect(second).to_have_text("Some groups may be two groups: 1, 2 (a reason).")
    # the point is about the other groups once two of them are merged
    for group in (1, 2):
        proposal.get_by_role("button", name=f"Group {group},").click()
    proposal.get_by_role("button", name="Merge").click()
    expect(first).to_have_text("Groups 1 and 2 may be one group: a reason.")


def test_a_group_that_may_be_two_is_no_longer_in_doubt_when_it_is_split(table, tmp_path):
    page, proposal = table.page, table.page.locator("#proposal")
    doubt(page, [4], "Group {} may be two groups.")
    page.locator("#photo-table").set_input_files(table.photo(GROUPS, tmp_path / "table.jpg"))
    said = proposal.locator(".found li", has_text="may be two groups")
    expect(said).to_have_text(f"Group {number_on_photo(proposal, 4)} may be two groups.")

    def move(*cards, to):
        for card in cards:
            proposal.get_by_role("checkbox", name=f"Card {card},").click()
        proposal.get_by_role("button", name=to).click()

    # a card that was in the wrong group, or the whole group, does not split it
    first = number_on_photo(proposal, 1)
    move(7, to=f"Group {first},")
    expect(said).to_be_visible()
    move(4, 5, 6, to=f"Group {first},")
    expect(said).to_have_text(f"Group {first} may be two groups.")
    move(6, 7, to="New group of 2")
    expect(proposal.locator(".found")).to_be_hidden()
    page.reload()
    page.locator(".photo-thumb.open").click()
    expect(proposal.locator(".sum")).to_contain_text("11 of 12 cards in 3 groups.")
    expect(proposal.locator(".found")).to_be_hidden()


def test_groups_that_may_be_one_are_no_longer_in_doubt_when_they_are_merged(table, tmp_path):
    page, proposal = table.page, table.page.locator("#proposal")
    doubt(page, [1, 4], "Groups {} and {} may be one group.")
    page.locator("#photo-table").set_input_files(table.photo(GROUPS, tmp_path / "table.jpg"))
    said = proposal.locator(".found li", has_text="may be one group")
    expect(said).to_be_visible()

    def merge(*cards):
        for group in [number_on_photo(proposal, card) for card in cards]:
            proposal.get_by_role("button", name=f"Group {group},").click()
        proposal.get_by_role("button", name="Merge").click()

    merge(1, 8)
    expect(said).to_be_visible()
    merge(1, 4)
    expect(said).to_be_hidden()


def test_corrections_are_kept_when_the_number_of_groups_changes(table, tmp_path):
    page = table.page
    page.locator("#photo-table").set_input_files(table.photo(GROUPS, tmp_path / "table.jpg"))
    proposal = page.locator("#proposal")
    words = proposal.locator(".sum")
    expect(words).to_contain_text("11 of 12 cards in 3 groups.")

    def choose(*cards):
        for card in cards:
            proposal.get_by_role("checkbox", name=f"Card {card},").click()
        expect(proposal.locator("g.card.chosen")).to_have_count(len(cards))

    # card 11 belongs to the first group, cards 4 and 6 are a group, and card 10 is not recorded
    choose(11)
    proposal.get_by_role("button", name=f"Group {number_on_photo(proposal, 1)}, 3 cards").click()
    choose(4, 6)
    proposal.get_by_role("button", name="New group of 2").click()
    choose(10)
    proposal.get_by_role("button", name="Don't record").click()
    expect(words).to_contain_text("10 of 12 cards in 4 groups.")

    def corrected():
        group = {card: number_on_photo(proposal, card) for card in range(1, 12) if card != 10}
        pair = [card for card in group if group[card] == group[4]]
        return pair == [4, 6] and group[11] == group[1] and len(set(group.values()))

    for button, groups in (("more", 5), ("more", 6), ("fewer", 5), ("fewer", 4), ("fewer", 3)):
        proposal.get_by_role("button", name=f"One group {button}").click()
        expect(words).to_contain_text(f"10 of 12 cards in {groups} groups.")
        assert corrected() == groups, groups
    # and when another photo arrives
    page.locator("#photo-table").set_input_files(table.photo([[12]], tmp_path / "rest.jpg"))
    expect(words).to_contain_text("11 of 12 cards in 5 groups.")
    assert corrected() == 4
    page.get_by_role("button", name="Confirm 5 groups").click()
    table.saved(11)
    table.expect_unplaced(10)
    # nothing of it is left for the next photo, which shows cards 4 and 10 elsewhere
    laid = table.photo([[4, 5, 6, 10], [7, 8, 9]], tmp_path / "later.jpg", 2)
    page.locator("#photo-table").set_input_files(laid)
    expect(words).to_contain_text("7 of 12 cards in")
    assert number_on_photo(proposal, 10)


def scribbled(card):
    """A card with a scribbled-over symbol."""
    face = card.face.copy()
    height, width = face.shape
    for at in range(-3, 4):
        start = (int(width * 0.55), int(height * (0.4 + 0.1 * at)))
        cv2.line(face, start, (width, start[1] + height // 5), 0, height // 16)
    return replace(card, face=face)


def test_unread_and_wrong_cards_are_ringed_on_the_photo(table, tmp_path):
    page = table.page
    lying = dict(table.printed.cards)
    lying["shapes02"] = scribbled(lying["shapes02"])
    table.printed = replace(table.printed, cards=lying)
    # card 1 is there twice: one of them is a reprint
    laid = [[1, 2, 3], [4, 5, 6, 1]]
    page.locator("#photo-table").set_input_files(table.photo(laid, tmp_path / "table.jpg"))
    proposal = page.locator("#proposal")
    expect(proposal.locator(".sum")).to_have_text(
        "5 of 12 cards in 2 groups. 1 card not read, ringed. 6 cards not photographed yet."
    )
    ring = proposal.get_by_role("button", name="A card that was not read")
    expect(ring).to_be_visible()
    twice = proposal.get_by_role("img", name="Card 1 appears twice")
    expect(twice).to_be_visible()
    expect(proposal.locator(".found li img")).to_have_attribute(
        "src", "/studies/1/sketches/thumbnails/1"
    )
    # the ring is around that card, and around none of the cards that were read
    middle = centre(ring)
    for card in (1, 3, 4, 5, 6):
        box = proposal.get_by_role("checkbox", name=f"Card {card},").bounding_box()
        assert not inside(box, middle), card
    assert inside(proposal.locator(".sheet").bounding_box(), middle)
    page.get_by_role("button", name="Confirm 2 groups").click()
    table.saved(5)
    table.expect_unplaced(2)
    # and in the finished table's photo as well
    page.get_by_role("button", name="Finish sitting").click()
    page.locator("#reason").fill("lost")
    page.locator("#finish-dialog").get_by_role("button", name="Finish sitting").click()
    page.wait_for_url("**/T001")
    expect(page.locator(".table-photos g.unread title")).to_have_text(
        "A card that was not read in this photo"
    )
    expect(page.get_by_text("5 cards read, 1 not read.")).to_be_visible()


def centre(shape):
    box = shape.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def inside(box, point):
    return all(
        box[start] <= at <= box[start] + box[length]
        for at, start, length in zip(point, ("x", "y"), ("width", "height"), strict=True)
    )


def test_corrections_are_kept_when_the_page_is_loaded_again(table, tmp_path):
    """A phone may end the page while its camera is open."""
    page = table.page
    lying = dict(table.printed.cards)
    lying["shapes02"] = scribbled(lying["shapes02"])
    table.printed = replace(table.printed, cards=lying)
    page.locator("#photo-table").set_input_files(table.photo(GROUPS, tmp_path / "table.jpg"))
    proposal = page.locator("#proposal")
    words = proposal.locator(".sum")
    expect(words).to_contain_text("10 of 12 cards in 3 groups. 1 card not read, ringed.")
    proposal.get_by_role("button", name="A card that was not read").click()
    page.locator(".pick > .stimuli").get_by_role("button", name="Card 2,").click()
    for card in (4, 6):
        proposal.get_by_role("checkbox", name=f"Card {card},").click()
    proposal.get_by_role("button", name="New group of 2").click()
    proposal.get_by_role("button", name="One group more").click()
    expect(words).to_contain_text("11 of 12 cards in 5 groups.")
    page.reload()
    page.locator(".photo-thumb.open").click()
    expect(words).to_contain_text("11 of 12 cards in 5 groups.")
    assert number_on_photo(proposal, 4) == number_on_photo(proposal, 6)
    # confirmed with the keyboard, whose focus then is beside Undo and Finish
    proposal.get_by_role("button", name="Confirm 5 groups").press("Enter")
    table.saved(11)
    expect(page.locator("#steps")).to_be_focused()
    # and nothing of it is left for the next photo
    page.reload()
    page.locator("#photo-table").set_input_files(table.photo(GROUPS, tmp_path / "later.jpg", 2))
    expect(words).to_contain_text("10 of 12 cards in 3 groups. 1 card not read, ringed.")


def test_a_photo_without_a_card_beside_others_says_why(table, tmp_path):
    """Such as a second photo that moved, while the first is not confirmed yet."""
    page = table.page
    good, white = table.photo(GROUPS, tmp_path / "table.jpg"), tmp_path / "white.jpg"
    Image.new("L", (1200, 900), 255).save(white)
    page.locator("#photo-table").set_input_files(good)
    said = page.locator("#proposal .sum")
    expect(said).to_contain_text("11 of 12 cards in 3 groups")
    page.locator("#photo-table").set_input_files(white)
    points = page.locator("#proposal .found li")
    why = "No card was found, and the photo is overexposed"
    expect(points.filter(has_text=f"Photo 2: {why}")).to_have_count(1)
    expect(said).to_contain_text("11 of 12 cards in 3 groups")
    page.get_by_role("button", name="Discard both photos").click()
    page.locator("#photo-files").set_input_files([white, good])
    expect(points.filter(has_text=f": {why}")).to_have_count(1)
    page.get_by_role("button", name="Confirm 3 groups").click()
    table.saved(11)


def test_a_photo_without_a_card_says_why_also_when_opened_again(table, tmp_path):
    """On a phone, too."""
    page = table.page
    page.set_viewport_size({"width": 390, "height": 844})
    Image.new("L", (1200, 900), 255).save(tmp_path / "white.jpg")
    page.locator("#photo-table").set_input_files(tmp_path / "white.jpg")
    why = page.locator("#proposal .found li")
    expect(why).to_contain_text("the photo is overexposed")
    expect(why).to_be_visible()
    page.get_by_role("button", name="Close photo").click()
    expect(why).to_have_count(0)
    page.locator("#photo-strip button").click()
    expect(why).to_contain_text("the photo is overexposed")
    expect(why).to_be_visible()
    page.get_by_role("button", name="Discard photo").click()
    expect(page.locator("#photo-strip button")).to_have_text("discarded")
    page.locator("#photo-strip button").click()
    expect(page.get_by_role("button", name="Close photo")).to_be_visible()
    expect(why).to_be_hidden()
