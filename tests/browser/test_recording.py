"""A table recorded in a real browser: by photo, scanner and hand, and through a killed server."""

import shutil
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import expect

from printables.codes import encode, header_code
from study_app import create_app, studies
from study_app.config import Settings
from study_app.db import db, writing
from tests.printed_table import print_set

pytestmark = pytest.mark.browser

CARDS = 12
GROUPS = [[1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]
AZERTY = dict(zip("1234567890", "&é\"'(-è_çà", strict=True))


@pytest.fixture
def table(researcher, served, tmp_path):
    """A printed set of twelve cards and a planned sitting T001, whose recording page is open."""
    app = create_app(Settings.of(served.instance))
    with app.app_context(), writing() as session:
        study_id = studies.make(session, "Shapes").id
    printed = print_set(app, study_id, tmp_path, CARDS)
    with app.app_context():
        db.engine.dispose()
    table = OnTable(researcher, served, printed)
    table.plan()
    return table


class OnTable:
    """The recording page of a sitting, and the cards beside it."""

    def __init__(self, page, served, printed):
        self.page, self.served, self.printed = page, served, printed

    def plan(self):
        self.page.goto(f"{self.served.address}/studies/1/sittings/")
        self.page.get_by_label("Assessors, a line each").fill("P01, 20-29")
        self.page.get_by_role("button", name="Plan sittings").click()
        self.page.get_by_role("link", name="Open T001").click()
        self.page.get_by_role("button", name="Start sorting").click()
        expect(self.page.get_by_role("timer")).to_have_text("00:00")
        self.page.get_by_role("button", name="Stop and record").click()
        self.page.wait_for_url("**/record")
        expect(self.page.locator("#count")).to_have_text(f"0 of {CARDS}")

    def photo(self, groups, path: Path, seed=1):
        path.write_bytes(self.printed.photo(groups, seed))
        return path

    def group_of(self, card):
        """The number of the group that a card is shown in, or None."""
        pile = self.page.locator(f".pile:has(button[aria-label^='Card {card},'])")
        return int(pile.locator(".badge").inner_text()) if pile.count() else None

    def saved(self, cards):
        expect(self.page.locator("#count")).to_have_text(f"{cards} of {CARDS}")
        expect(self.page.locator("#saved")).to_have_text("· saved")

    def type(self, text):
        self.page.keyboard.type(text)
        self.page.keyboard.press("Enter")


def test_by_photo_corrected_and_finished(table, tmp_path):
    page = table.page
    page.locator("#photo-table").set_input_files(table.photo(GROUPS, tmp_path / "table.jpg"))
    proposal = page.locator("#proposal")
    expect(proposal.locator(".sum")).to_contain_text("11 cards in 3 groups")
    # card 3 belongs to the second group; with the keyboard
    card = proposal.get_by_role("checkbox", name="Card 3,")
    card.focus()
    page.keyboard.press("Space")
    expect(card).to_have_attribute("aria-checked", "true")
    number = card.get_attribute("aria-label").split("group ")[1]
    four = proposal.get_by_role("checkbox", name="Card 4,").get_attribute("aria-label")
    target = four.split("group ")[1]
    assert target != number
    page.keyboard.type(target)
    page.keyboard.press("Enter")
    expect(card).to_have_attribute("aria-label", f"Card 3, shapes03, group {target}")
    page.get_by_role("button", name="Confirm 3 groups").click()
    table.saved(11)
    assert table.group_of(3) == table.group_of(4) == int(target)
    # the last card by hand, then a wrong one moved, undone, and the sitting finished without it
    page.locator("#missing button").click()
    table.saved(12)
    page.get_by_role("button", name="Undo").click()
    table.saved(11)
    page.get_by_role("button", name="Finish sitting").click()
    page.get_by_label("Why are they missing?").fill("fell off the table")
    page.locator("#finish-dialog").get_by_role("button", name="Finish sitting").click()
    page.wait_for_url("**/T001")
    expect(page.locator(".table-side")).to_contain_text("fell off the table")
    expect(page.locator(".table-side")).to_contain_text("11 of 12 cards in 3 groups")


def test_by_scanner_keyboard_and_header_cards(table):
    page = table.page
    code = table.printed.codes
    table.type(encode(header_code(4)))
    table.type(code[0])
    table.saved(1)
    assert table.group_of(1) == 4
    # a scanner types wherever the focus is, and leaves nothing behind in the field
    page.get_by_label("Card number").focus()
    table.type(code[1])
    table.saved(2)
    expect(page.get_by_label("Card number")).to_have_value("")
    # a scanner that falters after two digits, in the field
    page.keyboard.type(code[6][:2])
    page.wait_for_timeout(150)
    table.type(code[6][2:])
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
    assert table.group_of(4) == 4 and table.group_of(5) == 5
    # a card twice: said in words, with what to do
    table.type(code[0])
    told = page.locator("#told .refusal")
    expect(told).to_contain_text("Card 1 lies in group 4 already")
    told.get_by_role("button", name="Move it to group 5").click()
    table.saved(5)
    assert table.group_of(1) == 5
    wrong = code[6][:-1] + str((int(code[6][-1]) + 1) % 10)
    table.type(wrong)
    expect(page.locator("#told .refusal").first).to_contain_text("fails its check digits")
    page.keyboard.press("z")
    expect(page.locator(".pile:has(button[aria-label^='Card 1,']) .badge")).to_have_text("4")


def test_merge_split_rename_and_take_away(table):
    page = table.page
    for card in (1, 2, 3):
        table.type(str(card))
    page.keyboard.press("n")
    table.type("4")
    table.saved(4)
    for card in (2, 3):
        page.locator(f".pile button[aria-label^='Card {card},']").click()
    bar = page.get_by_role("toolbar", name="Chosen cards")
    bar.get_by_role("button", name="New group").click()
    table.saved(4)
    assert [table.group_of(card) for card in (1, 2, 3, 4)] == [1, 3, 3, 2]
    page.get_by_role("button", name="Name, note or merge group 3").click()
    page.locator("#group-dialog").get_by_label("Name").fill("round ones")
    page.get_by_label("Put all its cards into").select_option(label="Group 2")
    page.get_by_role("button", name="Keep").click()
    table.saved(4)
    assert [table.group_of(card) for card in (2, 3, 4)] == [2, 2, 2]
    page.locator(".pile button[aria-label^='Card 4,']").click()
    bar.get_by_role("button", name="Take off the table").click()
    table.saved(3)
    page.reload()
    table.saved(3)
    assert [table.group_of(card) for card in (1, 2, 3, 4)] == [1, 2, 2, None]


def test_a_killed_server_loses_nothing_and_two_tablets_agree(table):
    page = table.page
    for card in (1, 2):
        table.type(str(card))
    table.saved(2)
    table.served.kill()
    for card in (3, 4):
        table.type(str(card))
    expect(page.locator("#count")).to_have_text("4 of 12")
    expect(page.locator("#saved")).to_contain_text("2 waiting (no connection)")
    table.served.start()
    table.saved(4)
    other = page.context.new_page()
    other.goto(page.url)
    expect(other.locator("#count")).to_have_text("4 of 12")
    other.keyboard.type("5")
    other.keyboard.press("Enter")
    page.bring_to_front()
    table.saved(5)
    # the page is closed while its acts wait; they are sent when it is opened again
    other.close()
    table.served.kill()
    table.type("6")
    expect(page.locator("#saved")).to_contain_text("1 waiting")
    page.goto("about:blank")
    table.served.start()
    page.goto(f"{table.served.address}/studies/1/sittings/T001/record")
    table.saved(6)


def test_a_photo_of_one_group_on_a_phone(table, tmp_path):
    page = table.page
    page.set_viewport_size({"width": 390, "height": 844})
    page.locator("#photo-thumb").set_input_files(table.photo([[1, 2, 3]], tmp_path / "one.jpg"))
    table.saved(3)
    page.get_by_role("button", name="Next group").click()
    page.locator("#photo-thumb").set_input_files(table.photo([[3, 4]], tmp_path / "two.jpg"))
    table.saved(4)
    expect(page.locator("#told")).to_contain_text("Card 3 lies in group 1 already")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_photos_taken_without_a_server_are_kept_through_a_reload(table, tmp_path):
    page = table.page
    table.served.kill()
    page.locator("#photo-group").set_input_files(table.photo([[1, 2, 3]], tmp_path / "one.jpg"))
    expect(page.locator("#waiting-photos")).to_contain_text("one.jpg is waiting: no connection")
    # it belongs to the group that was current when it was taken
    page.get_by_role("button", name="Next group").click()
    page.locator("#photo-table").set_input_files(table.photo(GROUPS[1:], tmp_path / "two.jpg"))
    expect(page.locator("#waiting-photos li")).to_have_count(2)
    page.goto("about:blank")
    table.served.start()
    page.goto(f"{table.served.address}/studies/1/sittings/T001/record")
    expect(page.locator("#proposal .sum")).to_contain_text("8 cards in 2 groups")
    expect(page.locator("#waiting-photos li")).to_have_count(0)
    table.saved(3)
    assert table.group_of(1) == 1
    # what has arrived is not sent again
    page.reload()
    table.saved(3)
    expect(page.locator("#photo-strip button")).to_have_count(2)
    expect(page.locator("#waiting-photos li")).to_have_count(0)


def test_everything_that_photos_do_not_agree_on_is_said(table, tmp_path):
    page = table.page
    page.locator("#photo-table").set_input_files(table.photo(GROUPS, tmp_path / "one.jpg"))
    expect(page.locator("#proposal .sum")).to_contain_text("11 cards")
    moved = [[1, 4, 8], [2, 5, 9], [3, 6, 10, 12], [7, 11]]
    page.locator("#photo-table").set_input_files(table.photo(moved, tmp_path / "two.jpg", seed=5))
    said = page.locator("#proposal .found li")
    expect(said.first).to_contain_text("lies in two places")
    assert said.count() > 4


@pytest.fixture
def filming(chromium, table, tmp_path):
    """The recording page in a browser whose camera films cards 1 and 2."""
    faces = [table.printed.cards[name].face[::2, ::2] for name in table.printed.names[:2]]
    frame = np.pad(np.vstack([np.pad(face, 20, constant_values=120) for face in faces]), 30)
    frame = np.pad(frame, ((0, 720 - frame.shape[0]), (0, 1280 - frame.shape[1])))
    film = tmp_path / "film.mjpeg"
    with film.open("wb") as file:
        for _ in range(10):
            Image.fromarray(frame).convert("RGB").save(file, "JPEG", quality=90)
    options = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]
    options += ["--no-sandbox", f"--use-file-for-fake-video-capture={film}"]
    browser = chromium.browser_type.launch(
        executable_path=shutil.which("chromium") or shutil.which("google-chrome"), args=options
    )
    context = browser.new_context(storage_state=table.page.context.storage_state())
    page = context.new_page()
    page.goto(table.page.url)
    yield page
    browser.close()


def test_the_live_camera_takes_what_it_sees_once(table, filming):
    filming.get_by_role("button", name="Live camera").click()
    expect(filming.locator("#count")).to_have_text("2 of 12")
    expect(filming.locator(".pile .stimulus")).to_have_count(2)
    filming.get_by_role("button", name="Live camera").click()
    expect(filming.locator("#camera")).to_be_hidden()
    table.saved(2)
