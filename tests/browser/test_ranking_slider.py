"""A scale without steps: by keys alone, by one tap, and corrected in the review."""

import pytest
from playwright.sync_api import expect

from tests.browser.ranking_pages import (
    begin_by_keyboard,
    chosen,
    continue_with,
    press,
    ranked,
    ready,
    saved,
    stop_time,
    tab_to,
)

__all__ = ["ranked"]
pytestmark = pytest.mark.browser

# The precision of a tap on a line of about 500 pixels.
NEAR = 0.5
NO_DOUBLE_TAP_MS = 350


@pytest.fixture(scope="module")
def slider(ranked):
    """The number of a task with a slider."""
    return ranked.add_task("Slider", points=None)


@pytest.fixture(scope="module")
def best_high(ranked):
    """The number of a task with a slider whose upper end is most similar."""
    return ranked.add_task("Upward", points=None, most_similar_end="high")


def test_by_keys_alone(page, ranked, slider):
    link = ranked.link(task_id=slider)
    begin_by_keyboard(page, link)
    # Nothing is proposed: Enter alone gives no score.
    page.keyboard.press("Enter")
    expect(page.locator("#announcement")).to_have_text(
        "Move the slider first, then save the score."
    )
    assert chosen(page) == "Image 1, not scored"
    # With the focus on the image: +, - and Enter; the ten digits are equally spaced.
    press(page, ["+", "+", "-", "Enter", "3", "0", "9"])
    assert chosen(page) == "Image 5, not scored"
    # On the slider itself: as every slider.
    tab_to(page, "#scale input")
    expect(page.locator("#scale input")).to_have_attribute("aria-valuetext", "not placed yet")
    press(page, ["Home", "PageUp", "PageUp", "ArrowRight", "ArrowLeft", "ArrowLeft"])
    expect(page.locator("#scale input")).to_have_attribute("aria-valuetext", "19")
    page.keyboard.press("Enter")
    tab_to(page, "#scale input")
    press(page, ["End", "PageDown"])
    tab_to(page, "#scale button")
    page.keyboard.press("Enter")
    saved(page)
    expected = [55, 100 / 3, 0, 100, 19, 90]
    assert [entry.value for entry in ranked.scores(link)[1]] == pytest.approx(expected)
    assert page.evaluate("document.activeElement.id") == "to-review"
    page.keyboard.press("Enter")
    tab_to(page, "#submit")
    page.keyboard.press("Enter")
    expect(page.locator("#progress")).to_contain_text("Sketch 2 of 2")
    ready(page)
    press(page, "024680")
    page.keyboard.press("Enter")
    tab_to(page, "#submit")
    page.keyboard.press("Enter")
    page.wait_for_url("**/thanks")
    assert len(ranked.scores(link)[0]) == 12


def _tap(page, share, tap=None):
    """Tap on the slider at a fraction of its length; returns the expected value."""
    line = page.locator("#scale input").bounding_box()
    x, y = line["x"] + share * line["width"], line["y"] + line["height"] / 2
    (tap or page.mouse.click)(x, y)
    # The centre of the thumb, which is 28 px wide, moves from end to end.
    return 100 * (share * line["width"] - 14) / (line["width"] - 28)


def test_one_tap_on_the_slider_is_one_score_anywhere(page, ranked, slider):
    link = ranked.agreed_link(task_id=slider)
    page.clock.install()
    continue_with(page, link)
    stop_time(page)
    expected = []
    # In the middle the slider does not move at all.
    for at, share in enumerate((0.5, 0.371, 0.8049), start=2):
        expected.append(_tap(page, share))
        expect(page.locator("#announcement")).to_contain_text(f"Now image {at}.")
        page.clock.fast_forward(NO_DOUBLE_TAP_MS)
    expected.append(_tap(page, 0.62))
    # Of a trembling finger, at once.
    _tap(page, 0.62)
    saved(page)
    values = [entry.value for entry in ranked.scores(link)[1]]
    assert values == pytest.approx(expected, abs=NEAR)
    assert any(value != round(value, 1) for value in values)
    assert chosen(page) == "Image 5, not scored"


def test_one_touch_tap_on_the_slider_is_one_score(chromium, ranked, slider):
    context = chromium.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    page = context.new_page()
    link = ranked.agreed_link(task_id=slider)
    page.clock.install()
    continue_with(page, link)
    stop_time(page)
    expected = [_tap(page, 0.25, page.touchscreen.tap)]
    expect(page.locator("#announcement")).to_contain_text("Now image 2.")
    page.clock.fast_forward(NO_DOUBLE_TAP_MS)
    expected.append(_tap(page, 0.9, page.touchscreen.tap))
    expect(page.locator("#announcement")).to_contain_text("Now image 3.")
    saved(page)
    assert [e.value for e in ranked.scores(link)[1]] == pytest.approx(expected, abs=1)
    context.close()


def _drag(page, image, x, y):
    card = page.locator(f"#columns .stimulus[data-image='{image}']").bounding_box()
    page.mouse.move(card["x"] + card["width"] / 2, card["y"] + card["height"] / 2)
    page.mouse.down()
    page.mouse.move(x, y, steps=4)
    page.mouse.up()


def test_a_dragged_image_gets_a_score_between_its_neighbours(page, ranked, slider):
    link = ranked.agreed_link(task_id=slider)
    continue_with(page, link)
    press(page, ["1", "1", "2", "2", "7", "8"])
    page.get_by_role("button", name="Review scores").click()
    saved(page)
    images = [entry.stimulus_id for entry in ranked.scores(link)[1]]
    cards = page.locator("#columns .stimulus")
    upper = cards.nth(2).bounding_box()
    # Into the lower half of the first of two images of 22.2: between the two.
    _drag(page, images[5], upper["x"] + upper["width"] / 2, upper["y"] + upper["height"] * 0.7)
    expect(page.locator("#announcement")).to_have_text(f"Image {6}, score 22.")
    # Into the empty column from 50 to 60: its middle is all there is.
    empty = page.locator(".column[data-value='55'] .stimuli").bounding_box()
    _drag(page, images[4], empty["x"] + 20, empty["y"] + 20)
    expect(page.locator("#announcement")).to_have_text("Image 5, score 55.")
    # Below everything else in its column: between the last of it and the end of the column.
    tens = page.locator(".column[data-value='15'] .stimuli").bounding_box()
    _drag(page, images[2], tens["x"] + 20, tens["y"] + tens["height"] - 10)
    expect(page.locator("#announcement")).to_have_text("Image 3, score 16.")
    # Dropped in its own place, nothing changes.
    _drag(page, images[4], empty["x"] + 20, empty["y"] + 60)
    saved(page)
    given = [entry.value for entry in ranked.scores(link)[1][6:]]
    assert given == pytest.approx([200 / 9, 55, (100 / 9 + 20) / 2])


def test_keys_move_an_image_by_the_distance_of_the_columns(page, ranked, best_high):
    link = ranked.agreed_link(task_id=best_high)
    continue_with(page, link)
    press(page, ["9", "3", "3", "3", "3", "3"])
    page.get_by_role("button", name="Review scores").click()
    order = page.locator("#columns h3 .value").all_inner_texts()
    assert order[0] == "90–100" and order[-1] == "0–10"
    # The best image is first and chosen: one column down from the end, and back.
    press(page, ["Shift+ArrowRight", "Shift+ArrowLeft", "ArrowRight"])
    press(page, ["Shift+ArrowLeft", "Shift+ArrowLeft", "Shift+ArrowRight"])
    expect(page.locator("#columns [aria-selected=true]")).to_have_accessible_name(
        "Image 6, score 43"
    )
    saved(page)
    given = [entry.value for entry in ranked.scores(link)[1][6:]]
    assert given == pytest.approx([89.9, 99.9, 43.333, 53.333, 43.333], abs=0.001)
