"""Recording through a killed server, without a network, and after a sign-in that ended."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PASSWORD
from tests.browser.page_checks import wait_until
from tests.browser.recording_page import GROUPS
from tests.slow_line import SlowLine

pytestmark = pytest.mark.browser

# Whether the browser has stored two photos.
BOTH_STORED = """new Promise((resolve) => {
  indexedDB.open("sketch-study-photos").onsuccess = ({ target }) => {
    const photos = target.result.transaction("photos").objectStore("photos").count();
    photos.onsuccess = () => { target.result.close(); resolve(photos.result === 2); };
  };
})"""

BROKEN_THUMBNAILS = """[...document.querySelectorAll("button[data-card] img")].filter(
  (image) => image.complete && !image.naturalWidth
).length"""


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
    # the page is closed while its events wait; they are sent when it is opened again
    other.close()
    table.served.kill()
    table.type("6")
    expect(page.locator("#saved")).to_contain_text("1 waiting")
    page.goto("about:blank")
    table.served.start()
    page.goto(f"{table.served.address}/studies/1/sittings/T001/record")
    table.saved(6)


def test_after_a_restore_an_open_page_shows_the_table_and_sends_waiting_events(table, tmp_path):
    page, kept = table.page, tmp_path / "kept.zip"
    for card in (1, 2):
        table.type(str(card))
    table.saved(2)
    table.served.run("backup", kept)
    for card in (3, 4):
        table.type(str(card))
    table.saved(4)
    table.served.kill()
    table.type("5")
    expect(page.locator("#saved")).to_contain_text("1 waiting")
    table.served.run("restore", kept, "--force")
    table.served.start()
    table.saved(3)
    table.expect_in_group(5, 1)
    for card in (3, 4):
        table.expect_unplaced(card)


def test_photos_taken_offline_survive_a_reload(table, tmp_path):
    page = table.page
    table.served.kill()
    page.locator("#photo-group").set_input_files(table.photo([[1, 2, 3]], tmp_path / "one.jpg"))
    expect(page.locator("#waiting-photos")).to_contain_text("one.jpg is waiting: no connection")
    # it goes into the group that was current when it was taken
    page.get_by_role("button", name="Next group").click()
    page.locator("#photo-table").set_input_files(table.photo(GROUPS[1:], tmp_path / "two.jpg"))
    more = page.locator("#waiting-photos details")
    expect(more).to_have_text("1 more file is waitingtwo.jpg")
    expect(more.get_by_text("two.jpg")).to_be_hidden()
    more.locator("summary").press("Enter")
    expect(more.get_by_text("two.jpg")).to_be_visible()
    wait_until(page, BOTH_STORED)
    page.goto("about:blank")
    table.served.start()
    page.goto(f"{table.served.address}/studies/1/sittings/T001/record")
    expect(page.locator("#proposal .sum")).to_contain_text("8 of 12 cards in 2 groups")
    expect(page.locator("#waiting-photos li")).to_have_count(0)
    table.saved(3)
    table.expect_in_group(1, 1)
    # delivered events are not sent again
    page.reload()
    table.saved(3)
    expect(page.locator("#photo-strip button")).to_have_count(2)
    expect(page.locator("#waiting-photos li")).to_have_count(0)


def sign_out(table):
    """Sign out in another tab of the same browser, which stays open."""
    other = table.page.context.new_page()
    other.goto(table.served.address)
    other.get_by_role("button", name="Sign out").click()
    expect(other.get_by_label("Password")).to_be_visible()
    table.page.bring_to_front()
    return other


def sign_in(page):
    page.get_by_label("Name").fill("Ada")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()


def test_an_expired_session_loses_neither_events_nor_photos(table, tmp_path):
    page = table.page
    table.type("1")
    table.saved(1)
    other = sign_out(table)
    table.type("2")
    page.locator("#photo-group").set_input_files(table.photo([[5, 6, 7]], tmp_path / "one.jpg"))
    expect(page.locator("#saved")).to_have_text("· 2 waiting; sign in to save")
    expect(page.locator("#waiting-photos")).to_contain_text("one.jpg is waiting: you are not")
    link = page.locator("#sign-in").get_by_role("link", name="Sign in")
    expect(link).to_be_visible()
    # the page's token is of the old sign-in: it fetches a fresh one by itself
    sign_in(other)
    page.bring_to_front()
    table.saved(5)
    expect(page.locator("#sign-in")).to_be_hidden()
    expect(page.locator("#waiting-photos li")).to_have_count(0)
    expect(page.locator("#messages .refusal")).to_have_count(0)
    for card in (1, 2, 5, 6, 7):
        table.expect_in_group(card, 1)
    # and the sitting is finished by the form of the same page
    page.get_by_role("button", name="Finish sitting").click()
    page.locator("#reason").fill("lost")
    page.locator("#finish-dialog").get_by_role("button", name="Finish sitting").click()
    page.wait_for_url("**/T001")


def test_refused_events_are_dropped_and_reported(table, tmp_path):
    page = table.page
    (tmp_path / "notes.jpg").write_bytes(b"not a photo")
    photo = table.photo([[1, 2]], tmp_path / "one.jpg")
    damaged, content = tmp_path / "damaged.jpg", photo.read_bytes()
    middle = len(content) // 2
    damaged.write_bytes(content[:middle] + bytes(4000) + content[middle + 4000 :])
    page.locator("#photo-files").set_input_files([tmp_path / "notes.jpg", damaged, photo])
    messages = page.locator("#messages .refusal p")
    expect(messages).to_contain_text(
        ["damaged.jpg: is damaged: a part of the picture is missing", "notes.jpg: "]
    )
    expect(page.locator("#proposal .sum")).to_contain_text("2 cards in 1 group")
    expect(page.locator("#waiting-photos li")).to_have_count(0)


def test_undo_offline(table):
    page = table.page
    table.type("1")
    table.saved(1)
    table.served.kill()
    table.type("2")
    expect(page.locator("#saved")).to_have_text("· 1 waiting (no connection)")
    expect(page.locator("#count")).to_have_text("2 of 12")
    page.keyboard.press("z")
    expect(page.locator("#count")).to_have_text("1 of 12")
    page.keyboard.press("z")
    expect(page.locator("#saved")).to_contain_text("waiting (no connection)")
    table.served.start()
    table.saved(0)


def test_thumbnails_that_failed_without_a_network_are_loaded_again(table):
    page = table.page
    page.route("**/thumbnail**", lambda route: route.abort())
    page.reload()
    wait_until(page, f"{BROKEN_THUMBNAILS} === 12")
    page.unroute("**/thumbnail**")
    table.served.kill()
    table.type("1")
    expect(page.locator("#saved")).to_contain_text("1 waiting (no connection)")
    table.served.start()
    table.saved(1)
    wait_until(page, f"{BROKEN_THUMBNAILS} === 0")


def test_photos_read_before_the_server_was_killed_are_shown_when_it_is_back(table, tmp_path):
    page, messages = table.page, table.page.locator("#messages")
    page.route("**/proposal?*", lambda route: (table.served.kill(), route.continue_()), times=1)
    page.locator("#photo-table").set_input_files(table.photo(GROUPS, tmp_path / "table.jpg"))
    expect(messages).to_contain_text("No connection. Reading continues as soon as it is back.")
    table.served.start()
    expect(page.locator("#proposal .sum")).to_contain_text("11 of 12 cards in 3 groups")
    expect(messages.locator("p")).to_have_count(0)
    # what needs an answer now, and what waits by itself
    table.served.kill()
    page.get_by_role("button", name="One group more").click()
    expect(messages).to_contain_text("No connection")
    page.get_by_role("button", name="Confirm 3 groups").click()
    page.get_by_role("button", name="Finish sitting").click()
    expect(messages).to_contain_text(
        "Not saved yet: 1 waiting (no connection). Finish once everything is saved."
    )
    expect(messages).not_to_contain_text("Wait a moment")
    table.served.start()
    table.saved(11)
    expect(messages.locator("p")).to_have_count(0)


def test_a_photo_that_arrives_before_the_groups_just_confirmed_continues_them(table, tmp_path):
    page, words, held = table.page, table.page.locator("#proposal .sum"), []
    page.locator("#photo-table").set_input_files(table.photo(GROUPS, tmp_path / "table.jpg"))
    expect(words).to_contain_text("11 of 12 cards in 3 groups")
    page.route("**/acts", lambda route: held.append(route), times=1)
    page.get_by_role("button", name="Confirm 3 groups").click()
    # not “not confirmed” while the confirmation is being sent
    expect(page.locator(".photo-thumb.open")).to_have_count(0)
    with page.expect_response("**/photos"):
        page.locator("#photo-files").set_input_files(table.photo([[12]], tmp_path / "last.jpg"))
    expect(page.locator(".photo-thumb")).to_have_count(2)
    page.wait_for_timeout(1000)
    held[0].continue_()
    expect(words).to_have_text("1 of 12 cards in 1 group.")
    page.get_by_role("button", name="Confirm 1 group").click()
    table.saved(12)
    for card, group in ((1, 1), (8, 2), (4, 3), (12, 4)):
        table.expect_in_group(card, group)


def test_on_a_slow_connection_the_share_of_a_photo_that_was_sent_is_shown(table, tmp_path):
    page, photo = table.page, table.photo(GROUPS, tmp_path / "table.jpg")
    # larger than what this machine takes before it passes on anything
    photo.write_bytes(photo.read_bytes() + bytes(12_000_000))
    with SlowLine(table.served.port, 0) as line:
        page.goto(page.url.replace(f":{table.served.port}/", f":{line.port}/"))
        line.seconds = 0.02
        page.locator("#photo-table").set_input_files(photo)
        expect(page.locator("#waiting-photos")).to_have_text(
            re.compile(r"Sending table\.jpg: [1-9]\d?% …")
        )
        line.seconds = 0
        expect(page.locator("#proposal .sum")).to_contain_text("11 of 12 cards in 3 groups")
        expect(page.locator("#waiting-photos li")).to_have_count(0)
        page.goto("about:blank")


def test_odd_names_of_files_leave_messages_readable(table, tmp_path):
    page = table.page
    page.set_viewport_size({"width": 390, "height": 844})
    message = page.locator("#messages .refusal").first
    (tmp_path / "odd\u202egpj.jpg").write_bytes(b"no photo")
    page.locator("#photo-table").set_input_files(tmp_path / "odd\u202egpj.jpg")
    expect(message).to_contain_text("oddgpj.jpg: is not a photo")
    (tmp_path / f"{'x' * 240}.jpg").write_bytes(b"no photo")
    page.locator("#photo-table").set_input_files(tmp_path / f"{'x' * 240}.jpg")
    expect(message).to_contain_text(re.compile(r"^x{30}…x{25}\.jpg: is not a photo"))
    expect(message.get_by_role("button", name="Dismiss")).to_be_in_viewport(ratio=1)
