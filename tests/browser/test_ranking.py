"""Whole participations in a real browser: by keyboard alone, by touch alone, by anybody."""

import pytest
from playwright.sync_api import expect

from tests.browser.page_checks import accessible, fits
from tests.browser.ranking_pages import (
    begin,
    begin_by_keyboard,
    chosen,
    press,
    ranked,
    ready,
    saved,
    tab_to,
)

__all__ = ["ranked"]
pytestmark = pytest.mark.browser


def test_ranking_by_keyboard(page, ranked):
    link = ranked.link()
    begin_by_keyboard(page, link)
    # After a score the next image is chosen; arrows go back; N goes to an unscored image.
    press(page, ["1", "2"])
    assert chosen(page) == "Image 3, not scored"
    press(page, ["ArrowLeft", "5", "End", "7", "n"])
    assert chosen(page) == "Image 4, not scored"
    press(page, "nn")
    assert chosen(page) == "Image 3, not scored"
    page.keyboard.press(" ")
    expect(page.locator("#large-view")).to_be_visible()
    press(page, ["3", "Escape"])
    # After closing, the arrows continue from the chosen image.
    press(page, ["ArrowRight", "ArrowLeft"])
    assert chosen(page) == "Image 4, not scored"
    press(page, ["4", "6"])
    assert page.evaluate("document.activeElement.id") == "to-review"
    page.keyboard.press("o")
    expect(page.get_by_role("heading", name="Review scores")).to_be_visible()
    # In the review, Shift and an arrow move an image to the neighbouring score.
    first = page.locator("#columns [aria-selected=true]")
    assert "score 1" in first.get_attribute("aria-label")
    page.keyboard.press("Shift+ArrowRight")
    assert "score 2" in page.locator("#columns [aria-selected=true]").get_attribute("aria-label")
    page.keyboard.press("7")
    tab_to(page, "#submit")
    page.keyboard.press("Enter")
    expect(page.locator("#progress")).to_contain_text("Sketch 2 of 2")
    ready(page)
    press(page, "1234567"[:6])
    page.keyboard.press("Enter")
    tab_to(page, "#submit")
    page.keyboard.press("Enter")
    page.wait_for_url("**/thanks")
    code = page.locator("#code").inner_text()
    assert len(code) == 8
    current, entries = ranked.scores(link)
    assert len(current) == 12
    values = [entry.value for entry in entries]
    assert values == [1, 2, 5, 7, 3, 4, 6, 2, 7, 1, 2, 3, 4, 5, 6]
    assert [entry.in_review for entry in entries].count(True) == 2
    assert [entry.shown_position for entry in entries] == [1, 2, 2, 6, 3, 4, 5, 1, 1, *range(1, 7)]
    assert all(entry.response_ms is not None for entry in entries)
    # Every image of the first query was there before its first answer.
    assert max(entry.shown_at for entry in entries[:9]) < entries[0].answered_at
    _cannot_be_ranked_again(page, link)


def _cannot_be_ranked_again(page, link):
    for address in (link, f"{link}rank"):
        page.goto(address)
        page.wait_for_url("**/thanks")


def test_ranking_by_touch_on_a_phone(chromium, ranked):
    context = chromium.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    page = context.new_page()
    link = ranked.link("open")
    page.goto(link)
    page.get_by_role("checkbox").tap()
    page.get_by_role("button", name="Start").tap()
    page.wait_for_url("**/rank")
    for query in (1, 2):
        ready(page)
        for value in (1, 2, 3, 4, 5, 6):
            page.get_by_role("button", name=f"Score {value}", exact=False).first.tap()
        page.locator("#grid button").nth(2).tap()
        # Looked at large, an image is scored there.
        page.get_by_role("button", name="Enlarge").tap()
        page.locator("#large-view").get_by_role("button", name="Score 7").tap()
        page.get_by_role("button", name="Close").tap()
        page.get_by_role("button", name="Review scores").tap()
        fits(page)
        if query == 1:
            _drag_by_touch(context, page)
        page.get_by_role("button", name="Submit and continue").tap()
    page.wait_for_url("**/thanks")
    own = page.url.removesuffix("thanks")
    current, entries = ranked.scores(own)
    assert len(current) == 12
    assert [entry.value for entry in entries[:7]] == [1, 2, 3, 4, 5, 6, 7]
    dragged = entries[7]
    assert (dragged.value, dragged.in_review) == (2, True)
    context.close()


def _drag_by_touch(context, page):
    """Long-press the image of score 1, then drag it to the row of score 2."""
    card = page.locator(".column[data-value='1'] .stimulus")
    card.scroll_into_view_if_needed()
    start, end = card.bounding_box(), page.locator(".column[data-value='2'] h3").bounding_box()
    finger = context.new_cdp_session(page)

    def touch(kind, *points):
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(points)})

    at = {"x": start["x"] + 20, "y": start["y"] + 20}
    touch("touchStart", at)
    page.wait_for_selector(".dragged")
    for step in range(1, 6):
        y = at["y"] + (end["y"] + 20 - at["y"]) * step / 5
        touch("touchMove", {"x": at["x"], "y": y})
    touch("touchEnd")
    expect(page.locator(".column[data-value='1'] .stimulus")).to_have_count(0)


def test_ranking_by_mouse_with_dragging(page, ranked):
    link = ranked.link()
    begin(page, link)
    for value in "123456":
        page.get_by_role("button", name=f"Score {value}", exact=False).first.click()
    page.get_by_role("button", name="Review scores").click()
    page.locator(".column[data-value='6'] .stimulus").drag_to(
        page.locator(".column[data-value='1'] h3")
    )
    expect(page.locator(".column[data-value='1'] .stimulus")).to_have_count(2)
    saved(page)
    _, entries = ranked.scores(link)
    assert (entries[-1].value, entries[-1].in_review) == (1, True)


def test_every_page_of_a_participant_is_accessible(page, ranked):
    link = ranked.link()
    page.goto(link)
    accessible(page)
    page.get_by_role("checkbox").check()
    page.get_by_role("button", name="Start").click()
    ready(page)
    press(page, "12")
    saved(page)
    accessible(page)
    page.keyboard.press(" ")
    accessible(page)
    press(page, ["Escape", "3", "4", "5", "6"])
    page.get_by_role("button", name="Review scores").click()
    accessible(page)
    page.set_viewport_size({"width": 390, "height": 844})
    accessible(page)
    page.get_by_role("button", name="Take a break").click()
    accessible(page)
    page.get_by_role("button", name="Continue", exact=True).click()
    page.get_by_role("button", name="Submit and continue").click()
    ready(page)
    press(page, "123456")
    page.wait_for_timeout(450)
    page.get_by_role("button", name="Review scores").click()
    # On a phone the button takes the other's place, where a second tap within 400 ms is a slip.
    page.wait_for_timeout(450)
    page.get_by_role("button", name="Submit and continue").click()
    page.wait_for_url("**/thanks")
    accessible(page)
    page.get_by_role("link", name="withdraw").click()
    accessible(page)
    page.get_by_role("button", name="Delete my scores").click()
    expect(page.get_by_role("heading", name="You withdrew")).to_be_visible()
    accessible(page)
    assert ranked.scores(link)[0] == {}
    page.goto(ranked.server.address + "/take-part/nothing-of-this-name/")
    accessible(page)
