"""A table filmed with a phone that was let into the sitting by a QR code."""

import re

import cv2
import numpy as np
import pytest
from playwright.sync_api import expect

from tests.browser.page_checks import accessible, fits
from tests.browser.recording_page import CARDS, GROUPS

pytestmark = pytest.mark.browser

FRAMES = 12


def film(table, path, beside=0):
    """A phone is moved along the table: parts of one photo, one after the other; before that,
    frames of what is beside the table."""
    photo = cv2.imdecode(np.frombuffer(table.printed.photo(GROUPS), np.uint8), cv2.IMREAD_COLOR)
    height, width = photo.shape[:2]
    part = width * 5 // 8 // 2 * 2
    written = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), 10, (part, height))
    for grey in range(beside):
        written.write(np.full((height, part, 3), 90 + 3 * grey, np.uint8))
    for left in np.linspace(0, width - part, FRAMES).astype(int):
        written.write(np.ascontiguousarray(photo[:, left : left + part]))
    written.release()
    return path


def test_a_connected_phone_films_the_table(table, chromium, tmp_path):
    laptop = table.page
    laptop.get_by_role("button", name="Record on a phone").click()
    dialog = laptop.get_by_role("dialog", name="Record T001 on a phone")
    # a server on localhost cannot be reached by phones
    expect(laptop.locator("#messages")).to_contain_text("Start it with --host 0.0.0.0")
    expect(dialog).to_have_count(0)
    table.served.kill()
    table.served.options = ("--host", "0.0.0.0")
    table.served.start()
    laptop.get_by_role("button", name="Record on a phone").click()
    expect(dialog.get_by_role("img", name="QR code")).to_be_visible()
    accessible(laptop)
    address = dialog.locator("[data-address]").inner_text()
    assert not re.search("localhost|127.0.0.1", address)
    context = chromium.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    phone = context.new_page()
    phone.goto(address)
    phone.get_by_role("button", name="Record T001").click()
    expect(phone.locator("#count")).to_have_text(f"0 of {CARDS}")
    expect(dialog.get_by_text("1 phone connected.")).to_be_visible()
    dialog.get_by_role("button", name="Close").click()
    phone.locator("#film").set_input_files(film(table, tmp_path / "film.mp4"))
    expect(phone.locator("#proposal .sum")).to_contain_text(f"11 of {CARDS} cards in 3 groups")
    fits(phone)
    accessible(phone)
    phone.get_by_role("button", name="Confirm 3 groups").click()
    expect(phone.locator("#count")).to_have_text(f"11 of {CARDS}")
    table.saved(11)
    laptop.get_by_role("button", name="Record on a phone").click()
    laptop.get_by_role("button", name="Disconnect phones").click()
    expect(dialog).to_have_count(0)
    # which has no sign-in
    expect(phone.locator("#saved")).to_have_text("· this phone is disconnected")
    phone.reload()
    expect(phone.get_by_role("heading", name="Sign in")).to_be_visible()
    context.close()


def test_a_video_goes_on_after_a_reload_with_the_cards_seen_before(table, chromium, tmp_path):
    page, asked, all_allowed = table.page, [], []

    def read_one(route):
        asked.append(route)
        if len(asked) == 1 or all_allowed:
            route.continue_()

    page.route("**/read", read_one)
    page.locator("#film").set_input_files(film(table, tmp_path / "film.mp4"))
    line = page.locator("#waiting-photos li")
    expect(line).to_contain_text("Frame 1 of")
    expect(page.locator("#missing .lit").first).to_be_visible()
    said, lit = line.inner_text(), page.locator("#missing .lit").count()
    assert re.search(f": {lit} of {CARDS} cards seen", said)
    page.reload()
    expect(line).to_have_text(said)
    expect(page.locator("#missing .lit")).to_have_count(lit)
    # another device does not propose the groups of the first frame only
    context = chromium.new_context()
    context.add_cookies(page.context.cookies())
    other = context.new_page()
    other.goto(table.address)
    other.get_by_role("button", name="Show the photos").click()
    expect(other.locator("#proposal .sum")).to_contain_text(f"11 of {CARDS} cards in 3 groups")
    context.close()
    all_allowed.append(True)
    asked[-1].continue_()
    expect(page.locator("#proposal .sum")).to_contain_text(f"11 of {CARDS} cards in 3 groups")


def test_frames_beside_the_table_are_not_proposed(table, tmp_path):
    page, words = table.page, table.page.locator("#proposal .sum")
    page.locator("#film").set_input_files(film(table, tmp_path / "film.mp4", beside=8))
    expect(words).to_contain_text(f"11 of {CARDS} cards in 3 groups")
    assert page.locator(".photo-thumb").count() > page.locator(".photo-thumb.open").count()
    expect(page.locator("#proposal")).not_to_contain_text("No card was found")


def test_frames_beside_the_table_are_not_proposed_after_a_reload_either(table, tmp_path):
    page, asked, all_allowed = table.page, [], []

    def read_three(route):
        asked.append(route)
        if len(asked) <= 3 or all_allowed:
            route.continue_()

    page.route("**/read", read_three)
    page.locator("#film").set_input_files(film(table, tmp_path / "film.mp4", beside=8))
    line = page.locator("#waiting-photos li")
    expect(line).to_contain_text("Frame 3 of")
    page.reload()
    expect(line).to_contain_text("Frame 3 of")
    all_allowed.append(True)
    asked[-1].continue_()
    words = page.locator("#proposal .sum")
    expect(words).to_contain_text(f"11 of {CARDS} cards in 3 groups")
    expect(page.locator("#proposal")).not_to_contain_text("No card was found")


def test_a_video_among_photos_is_told_where_videos_go(table, tmp_path):
    page = table.page
    messages = page.locator("#messages .refusal")
    page.locator("#photo-files").set_input_files(film(table, tmp_path / "film.mp4"))
    expect(messages).to_contain_text("film.mp4: is a video; choose it with “Film table”")
    page.locator("#film").set_input_files(table.photo(GROUPS, tmp_path / "table.jpg"))
    expect(messages.first).to_contain_text("table.jpg: is a photo; choose it with “Choose photos”")
    (tmp_path / "empty.jpg").touch()
    page.locator("#film").set_input_files(tmp_path / "empty.jpg")
    expect(messages.first).to_contain_text("empty.jpg: is empty; copy it again from the camera")
    expect(page.locator("#waiting-photos li")).to_have_count(0)
