"""The recording page on small screens and enlarged to twice its size: all buttons are in reach."""

import re
from dataclasses import replace

import pytest
from playwright.sync_api import expect

from tests.browser.page_checks import fits
from tests.browser.recording_page import GROUPS
from tests.browser.test_photo_corrections import scribbled

pytestmark = pytest.mark.browser

# A small laptop, a phone held sideways, a laptop and phones enlarged to twice their size.
SIZES = [(1280, 560), (844, 390), (640, 400), (320, 568), (195, 422)]
PRESSED = """(button, scrolled) => {
  if (scrolled) button.scrollIntoView({ block: "center" });
  const box = button.getBoundingClientRect();
  const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
  return button.contains(document.elementFromPoint(x, y));
}"""


def reached(button):
    """Whether a press on a button reaches it, as far as it can be scrolled into view."""
    for _ in range(50):
        # in one step: the panel may be drawn again in between
        if button.evaluate(PRESSED, True):
            return True
        button.page.wait_for_timeout(100)
    return False


@pytest.mark.parametrize("width, height", SIZES)
def test_every_button_can_be_pressed_on_small_screens(table, tmp_path, width, height):
    page = table.page
    page.set_viewport_size({"width": width, "height": height})
    for name in ("Next group", "Finish sitting"):
        button = page.get_by_role("button", name=name)
        expect(button).to_be_in_viewport(ratio=1)
        assert button.evaluate(PRESSED), name
    page.locator("#photo-table").set_input_files(table.photo(GROUPS, tmp_path / "table.jpg"))
    proposal = page.locator("#proposal")
    expect(proposal.locator(".sum")).to_contain_text("11 of 12 cards in 3 groups")
    fits(page)
    proposal.get_by_role("checkbox").first.focus()
    page.keyboard.press("Space")
    assert reached(proposal.get_by_role("button", name="New group of 1"))
    page.keyboard.press("Escape")
    for name in ("One group fewer", "One group more", "Discard photo", "Confirm 3 groups"):
        assert reached(proposal.get_by_role("button", name=name)), name
    if width > 760:
        # beside the photo, within sight as long as the photo is
        proposal.scroll_into_view_if_needed()
        expect(proposal.get_by_role("button", name="Confirm 3 groups")).to_be_in_viewport(ratio=1)
    proposal.get_by_role("button", name="Confirm 3 groups").click()
    table.saved(11)


@pytest.mark.parametrize("width, height", [(390, 844), (1280, 800), (844, 390)])
def test_every_point_to_check_is_shown_whole_and_once(table, tmp_path, width, height):
    page, found = table.page, table.page.locator("#proposal .found")
    lying = dict(table.printed.cards)
    lying["shapes02"] = scribbled(lying["shapes02"])
    table.printed = replace(table.printed, cards=lying)
    page.set_viewport_size({"width": width, "height": height})
    # card 1 is there twice
    laid = [[1, 2, 3], [4, 5, 6, 1]]
    page.locator("#photo-table").set_input_files(table.photo(laid, tmp_path / "table.jpg"))
    count = found.locator("summary")
    expect(count).to_have_text(re.compile("^2 points to check: Card 1 appears twice, .* right[?]$"))
    assert count.evaluate("(shown) => shown.scrollWidth <= shown.clientWidth")
    expect(found.locator("li").first).to_be_hidden()
    if width > 760:
        # the points do not push the buttons for chosen cards out of sight
        proposal = page.locator("#proposal")
        proposal.get_by_role("checkbox").first.focus()
        page.keyboard.press("Space")
        proposal.evaluate("(shown) => shown.scrollIntoView({ block: 'start' })")
        page.keyboard.press("Space")
        expect(count).to_be_in_viewport(ratio=1)
        page.keyboard.press("Space")
        for name in ("Group 1,", "New group of 1", "Don't record"):
            button = proposal.locator(".side").get_by_role("button", name=name)
            expect(button).to_be_in_viewport(ratio=1)
        page.keyboard.press("Escape")
    count.click()
    expect(count).to_have_text("2 points to check")
    for row in found.locator("li").all():
        expect(row).to_be_visible()
    # one that is left needs nothing to open
    found.get_by_role("button", name="Group").first.click()
    expect(found.locator("li")).to_have_count(1)
    expect(found.locator("li")).to_contain_text("1 card was not read: look at the ringed places")
    expect(found.locator("li")).to_be_visible()
    expect(count).to_be_hidden()
    fits(page)


def test_with_several_photos_all_groups_and_points_are_in_sight(table, tmp_path):
    page, side = table.page, table.page.locator("#proposal .side")
    groups = [[card] for card in range(1, 12)]
    first, second = (table.photo(groups, tmp_path / f"{seed}.jpg", seed) for seed in (1, 2))
    page.set_viewport_size({"width": 1280, "height": 800})
    page.locator("#photo-files").set_input_files([first, second])
    expect(side).to_contain_text("Photo 1 of 2")
    page.locator("#proposal").evaluate("(shown) => shown.scrollIntoView({ block: 'start' })")
    for chip in side.locator(".chip").all():
        expect(chip).to_be_in_viewport(ratio=1)
    point = side.locator(".found > :is(summary, ul):visible").first
    for size in ((1280, 800), (844, 390)):
        page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
        page.locator("#proposal").evaluate("(shown) => shown.scrollIntoView({ block: 'start' })")
        expect(point).to_be_in_viewport(ratio=1)
