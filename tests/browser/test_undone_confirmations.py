"""Undo of a confirmation: its photos come back as the conductor had corrected them."""

import re
from dataclasses import replace

import pytest
from PIL import Image
from playwright.sync_api import expect

from tests.browser.recording_page import GROUPS
from tests.browser.test_photo_corrections import number_on_photo, scribbled

pytestmark = pytest.mark.browser


@pytest.fixture
def photos(table, tmp_path):
    """The recording page's photos."""
    return OnPhotos(table, tmp_path)


class OnPhotos:
    """The photos of a recording page, and the proposed groups on them."""

    def __init__(self, table, folder):
        self.table, self.page, self.folder = table, table.page, folder
        self.proposal = self.page.locator("#proposal")
        self.words = self.proposal.locator(".sum")

    def take(self, groups, name, seed=1):
        photo = self.table.photo(groups, self.folder / f"{name}.jpg", seed)
        self.page.locator("#photo-table").set_input_files(photo)

    def choose(self, *cards):
        for card in cards:
            self.proposal.get_by_role("checkbox", name=f"Card {card},").click()

    def split(self, *cards):
        self.choose(*cards)
        self.proposal.get_by_role("button", name=f"New group of {len(cards)}").click()

    def confirm(self, groups, placed):
        self.page.get_by_role("button", name=f"Confirm {groups} group").click()
        self.table.saved(placed)

    def undo(self, placed):
        self.page.get_by_role("button", name="Undo").click()
        self.table.saved(placed)

    def show(self):
        self.page.get_by_role("button", name="Show the photo").click()

    def expect_groups(self, *groups):
        """Wait for as many groups of the cards on the photos; they are these, numbered from 1."""
        cards = sum(map(len, groups))
        expect(self.words).to_contain_text(f"{cards} of 12 cards in {len(groups)} group")
        shown = {}
        for words in self.proposal.locator("g.card").evaluate_all(
            "(cards) => cards.map((card) => card.ariaLabel)"
        ):
            found = re.search(r"Card (\d+), .*, group (\d+)", words)
            if found:
                shown.setdefault(int(found[2]), set()).add(int(found[1]))
        assert sorted(map(sorted, shown.values())) == sorted(groups)
        assert sorted(shown) == list(range(1, len(groups) + 1))


def test_corrections_come_back_when_the_confirmation_is_undone(photos):
    page, proposal, words = photos.page, photos.proposal, photos.words
    lying = dict(photos.table.printed.cards)
    lying["shapes02"] = scribbled(lying["shapes02"])
    photos.table.printed = replace(photos.table.printed, cards=lying)
    photos.take(GROUPS, "table")
    expect(words).to_contain_text("10 of 12 cards in 3 groups. 1 card not read, ringed.")
    page.get_by_role("button", name="One group fewer").click()
    expect(words).to_contain_text("in 2 groups.")
    proposal.get_by_role("button", name="A card that was not read").click()
    page.get_by_role("dialog").get_by_role("button", name="Card 2,").click()
    photos.split(9, 10)
    photos.choose(11)
    proposal.get_by_role("button", name="Don't record").click()
    corrected = "10 of 12 cards in 3 groups."
    expect(words).to_contain_text(corrected)
    groups = {card: number_on_photo(proposal, card) for card in range(1, 11)}
    for _ in range(2):
        photos.confirm(3, 10)
        photos.undo(0)
        page.reload()
        photos.show()
        expect(words).to_contain_text(corrected)
        assert groups == {card: number_on_photo(proposal, card) for card in groups}
        expect(page.get_by_label("How many groups do you see?")).to_have_value("3")
        expect(proposal.get_by_role("checkbox", name="Card 11,")).to_have_attribute(
            "aria-label", re.compile("left out$")
        )
    # one more correction
    photos.split(4)
    photos.confirm(4, 10)
    expect(page.locator(".group:not(.current) .badge")).to_have_text(["1", "2", "3", "4"])


def test_each_of_several_confirmations_that_are_undone_has_its_corrections(photos):
    """And a photo that is discarded then takes its corrections with it."""
    photos.take([[1, 2, 3], [4, 5, 6]], "first")
    photos.split(3)
    photos.confirm(3, 6)
    photos.take([[7, 8, 9], [10, 11, 12]], "second", 2)
    photos.split(9)
    photos.confirm(3, 12)
    photos.undo(6)
    photos.show()
    expect(photos.words).to_contain_text("6 of 12 cards in 3 groups.")
    numbers = {number_on_photo(photos.proposal, card) for card in (7, 9, 10)}
    assert numbers == {"4", "5", "6"}
    photos.page.get_by_role("button", name="Discard photo").click()
    # Undo of discarding the second photo, and then of confirming the first
    for placed in (6, 0):
        photos.undo(placed)
    photos.page.get_by_role("button", name="Show the photos").click()
    photos.expect_groups([1, 2], [4, 5, 6], [7, 8], [10, 11, 12], [3], [9])
    photos.page.get_by_role("button", name="Discard this photo").click()
    expect(photos.words).to_contain_text("6 of 12 cards in 3 groups.")
    photos.confirm(3, 6)


def test_corrections_stay_when_another_photo_is_added_after_undo(photos):
    photos.take([[1, 2, 3], [4, 5, 6]], "first")
    photos.split(3)
    photos.choose(6)
    photos.proposal.get_by_role("button", name="Don't record").click()
    photos.confirm(3, 5)
    photos.undo(0)
    photos.take([[7, 8]], "second", 2)
    photos.expect_groups([1, 2], [4, 5], [7, 8], [3])
    photos.confirm(4, 7)


@pytest.mark.parametrize("button", ["Don't record", "New group of 1"])
def test_corrections_of_a_discarded_photo_are_not_those_of_its_retake(photos, button):
    """But Undo of discarding it brings them back, also when its retake was discarded, too."""
    page, proposal = photos.page, photos.proposal
    corrected = "5 of 12 cards in 2 groups." if button == "Don't record" else "cards in 3 groups."
    photos.take([[1, 2, 3]], "first")
    expect(photos.words).to_contain_text("3 of 12 cards in 1 group.")
    photos.take([[4, 5, 6]], "second", 2)
    expect(photos.words).to_contain_text("6 of 12 cards in 2 groups.")
    page.get_by_role("button", name="Next photo").click()
    photos.choose(6)
    proposal.get_by_role("button", name=button).click()
    expect(photos.words).to_contain_text(corrected)
    page.get_by_role("button", name="Discard this photo").click()
    expect(photos.words).to_contain_text("3 of 12 cards in 1 group.")
    retake = photos.folder / "retake.jpg"
    Image.open(photos.folder / "second.jpg").save(retake, quality=80)
    page.locator("#photo-table").set_input_files(retake)
    expect(proposal.get_by_text("Photo 1 of 2")).to_be_visible()
    photos.expect_groups([1, 2, 3], [4, 5, 6])
    page.get_by_role("button", name="Next photo").click()
    page.get_by_role("button", name="Discard this photo").click()
    expect(photos.words).to_contain_text("3 of 12 cards in 1 group.")
    page.get_by_role("button", name="Discard photo").click()
    for waiting in (1, 2, 3):
        photos.undo(0)
        expect(page.locator(".photo-thumb.open")).to_have_count(waiting)
    page.reload()
    page.get_by_role("button", name="Show the photos").click()
    expect(proposal.get_by_text("Photo 1 of 3")).to_be_visible()
    expect(photos.words).to_contain_text(corrected)


def test_corrections_come_back_when_another_device_undoes_the_confirmation(photos):
    """And a photo that this one confirmed and that is chosen again is as it was recorded."""
    page = photos.page
    photos.take(GROUPS, "table")
    photos.split(3)
    photos.confirm(4, 11)
    # a later change, which the corrections of the photo do not take back
    page.locator(".group button[aria-label^='Card 3,']").click()
    page.get_by_role("button", name="Move to group 2").click()
    photos.table.expect_in_group(3, 2)
    photos.take(GROUPS, "table")
    expect(photos.words).to_contain_text("Nothing left to confirm. 11 of 12 cards in 3 groups.")
    page.get_by_role("button", name="Close photo").click()
    other = page.context.new_page()
    other.goto(photos.table.address)
    for _ in range(2):
        other.get_by_role("button", name="Undo").click()
    photos.show()
    photos.expect_groups([1, 2], [4, 5, 6, 7], [8, 9, 10, 11], [3])
    # where it was not corrected
    other.get_by_role("button", name="Show the photo").click()
    expect(other.locator("#proposal .sum")).to_contain_text("11 of 12 cards in 3 groups.")


def test_corrections_that_an_earlier_version_of_the_page_stored_are_not_lost(photos):
    photos.take(GROUPS, "table")
    photos.split(3)
    expect(photos.words).to_contain_text("11 of 12 cards in 4 groups.")
    photos.page.evaluate("""() => {
        const name = Object.keys(sessionStorage).find((name) => name.endsWith(":corrections"));
        const [{ identified, steps, counted }] = JSON.parse(sessionStorage.getItem(name));
        for (const step of steps) delete step.photos;
        sessionStorage.setItem(name, JSON.stringify({ identified, steps, counted }));
    }""")
    photos.page.reload()
    photos.show()
    photos.expect_groups([1, 2], [4, 5, 6, 7], [8, 9, 10, 11], [3])
    photos.confirm(4, 11)
    photos.take([[3, 4, 5]], "later", 2)
    expect(photos.words).to_contain_text("3 of 12 cards in")


def test_corrections_of_a_photo_that_another_device_confirmed_are_not_those_of_the_next(photos):
    photos.take([[1, 2, 3], [4, 5, 6]], "first")
    photos.split(3)
    photos.page.reload()
    other = photos.page.context.new_page()
    other.goto(photos.table.address)
    other.get_by_role("button", name="Show the photo").click()
    other.get_by_role("button", name="Confirm 2 groups").click()
    photos.table.saved(6)
    # it shows card 3, which was not split off
    photos.take([[1, 2, 3], [7, 8]], "second", 2)
    expect(photos.words).to_contain_text("5 of 12 cards in 2 groups.")


def test_a_photo_with_the_number_of_one_that_a_restored_backup_does_not_have_is_another(photos):
    table, backup = photos.table, photos.folder / "backup.zip"
    table.served.run("backup", backup)
    photos.take([[1, 2, 3], [4, 5, 6]], "first")
    photos.split(3)
    photos.confirm(3, 6)
    table.served.kill()
    table.served.run("restore", backup, "--force")
    table.served.start()
    table.saved(0)
    photos.take([[1, 2, 3], [4, 5, 6]], "second", 2)
    photos.expect_groups([1, 2, 3], [4, 5, 6])


def test_the_number_of_groups_stays_if_another_photo_shows_no_card(photos):
    page, white = photos.page, photos.folder / "white.jpg"
    photos.take(GROUPS, "table")
    expect(photos.words).to_contain_text("11 of 12 cards in 3 groups.")
    Image.new("L", (1200, 900), 255).save(white)
    page.locator("#photo-table").set_input_files(white)
    expect(photos.proposal.get_by_text("Photo 1 of 2")).to_be_visible()
    page.get_by_role("button", name="One group fewer").click()
    expect(photos.words).to_contain_text("11 of 12 cards in 2 groups.")
    photos.confirm(2, 11)
    photos.undo(0)
    photos.show()
    expect(photos.words).to_contain_text("11 of 12 cards in 2 groups.")
