"""Forty images, as in the benchmark: on a screen and a phone, read aloud, in the dark."""

import pytest
from playwright.sync_api import expect

from tests.browser.page_checks import accessible, fits, no_line_begins_with_a_dot
from tests.browser.ranking_pages import (
    ServedTask,
    continue_with,
    press,
    saved,
)

pytestmark = pytest.mark.browser

IMAGES = 40
SIZES = {"screen": (1280, 800), "phone": (390, 844)}
# Click and touch targets with their sizes; a link in a sentence has the height of a line.
TARGETS = """() => [...document.querySelectorAll("button, summary, select, input, p > a.button")]
  .filter((target) => target.checkVisibility())
  .map((target) => [target.outerHTML.slice(0, 60), target.getBoundingClientRect()])
  .filter(([, { width, height }]) => width < 44 || height < 44)
  .map(([words, { width, height }]) => `${words} ${width}x${height}`)"""
# Whether nothing covers the centre and the corners of an element.
IN_SIGHT = """(element) => {
  const { left, top, right, bottom } = element.getBoundingClientRect();
  const middle = [(left + right) / 2, (top + bottom) / 2];
  const places = [[left + 3, top + 3], [right - 3, bottom - 3], middle];
  return places.every(([x, y]) => element.contains(document.elementFromPoint(x, y)));
}"""


@pytest.fixture(scope="module")
def forty(tmp_path_factory):
    """A served task of two queries with forty images each, and one question."""
    served = ServedTask(tmp_path_factory.mktemp("forty"), images=IMAGES)
    yield served
    served.close()


@pytest.fixture(params=SIZES, ids=list(SIZES))
def sized(request, page):
    """A page of one of the sizes that people have."""
    width, height = SIZES[request.param]
    page.set_viewport_size({"width": width, "height": height})
    return page


def _fits(page):
    fits(page)
    assert page.evaluate(TARGETS) == []
    accessible(page)


def test_the_sketch_and_the_chosen_image_stay_visible(sized, forty):
    page = sized
    continue_with(page, forty.agreed_link())
    _fits(page)
    sketch = page.locator("#sketch")
    for key in ("End", "ArrowUp", "Home", "ArrowDown", "ArrowDown", "ArrowDown"):
        page.keyboard.press(key)
        current = page.locator("#grid [aria-selected=true]")
        assert current.evaluate(IN_SIGHT), f"after {key} the chosen image is covered"
        assert sketch.evaluate(IN_SIGHT), f"after {key} the sketch is covered"
    page.keyboard.press("Home")
    press(page, "1234567" * 5 + "12345")
    saved(page)
    assert page.locator("#grid button").last.evaluate(IN_SIGHT)
    page.get_by_role("button", name="Review scores").click()
    _fits(page)
    expect(page.locator("#columns .stimulus")).to_have_count(IMAGES)
    for _ in range(6):
        page.keyboard.press("ArrowDown")
        assert page.locator("#columns [aria-selected=true]").evaluate(IN_SIGHT)
        assert sketch.evaluate(IN_SIGHT)
    page.get_by_role("button", name="Enlarge").click()
    _fits(page)


@pytest.mark.parametrize("size", [(1280, 800), (390, 844), (320, 640)], ids=str)
def test_the_longest_words_leave_room_for_the_images(page, forty, size):
    page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
    ends = {
        "low_label": "in no respect whatever like it, not in the least one of them",
        "high_label": "so much alike that one could be taken for the other by all",
    }
    wording = "How similar is its form alone, whatever its colour, size and ground are? " * 6
    task_id = forty.add_task(f"Long words {size}", wording=wording, points=11, **ends)
    continue_with(page, forty.agreed_link(task_id=task_id))
    for key in ("End", "ArrowUp", "Home", "ArrowDown"):
        page.keyboard.press(key)
        assert page.locator("#grid [aria-selected=true]").evaluate(IN_SIGHT)
        assert page.locator("#sketch").evaluate(IN_SIGHT)
    _fits(page)
    no_line_begins_with_a_dot(page, ".state")
    page.get_by_text("Help and keys").click()
    expect(page.get_by_role("link", name="Withdraw")).to_be_visible()


LOW_SCREENS = [(390, 664), (360, 640), (320, 568), (640, 400), (844, 390), (740, 360)]


@pytest.mark.parametrize("size", [(1280, 800), (390, 844), *LOW_SCREENS], ids=str)
def test_an_enlarged_image_is_in_sight_with_the_sketch(page, forty, size):
    page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
    continue_with(page, forty.agreed_link())
    page.get_by_role("button", name="Enlarge").click()
    for picture in page.locator("#large-view figure").all():
        assert picture.evaluate(IN_SIGHT)
    assert page.locator("#large-view .primary").evaluate(IN_SIGHT)


@pytest.mark.parametrize("size", [(1280, 800), (390, 844), (320, 640)], ids=str)
def test_long_words_at_the_ends_of_the_scale_leave_every_score_in_sight(page, forty, size):
    page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
    ends = {"low_label": "unvergleichbar" * 4, "high_label": "verwechslungsähnlich" * 3}
    continue_with(page, forty.agreed_link(task_id=forty.add_task(f"Long ends {size}", **ends)))
    for score in page.locator(".points button").all():
        assert score.evaluate(IN_SIGHT)
    _fits(page)


def test_on_a_screen_forty_images_need_no_scrolling(page, forty):
    continue_with(page, forty.agreed_link())
    assert page.locator("#grid button").first.evaluate(IN_SIGHT)
    assert page.locator("#grid button").last.evaluate(IN_SIGHT)


def test_unscored_images_are_counted_and_reached_by_a_key(page, forty):
    continue_with(page, forty.agreed_link())
    press(page, ["1", "2", "ArrowRight", "ArrowRight", "3"])
    expect(page.locator("#progress")).to_contain_text("37 images left")
    names = []
    for _ in range(IMAGES - 2):
        page.keyboard.press("n")
        names.append(page.locator("#grid [aria-selected=true]").get_attribute("aria-label"))
    # After the sixth, the remaining ones are chosen, then the skipped ones from the start.
    numbers = [*range(7, IMAGES + 1), 3, 4, 6, 7]
    assert names == [f"Image {number}, not scored" for number in numbers]


def test_an_image_is_dragged_by_touch_from_the_first_score_to_the_last(chromium, forty):
    """On a phone, the last score is far below: the page scrolls at its edge."""
    context = chromium.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    page = context.new_page()
    link = forty.agreed_link()
    continue_with(page, link)
    press(page, "1234567" * 5 + "12345")
    page.get_by_role("button", name="Review scores").tap()
    page.evaluate("window.scrollTo(0, 0)")
    card = page.locator(".column[data-value='1'] .stimulus").first
    start, bar = card.bounding_box(), page.locator(".bar").bounding_box()
    finger = context.new_cdp_session(page)

    def touch(kind, *points):
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(points)})

    x = start["x"] + 30
    touch("touchStart", {"x": x, "y": start["y"] + 30})
    page.wait_for_selector(".dragged")
    for y in range(int(start["y"]) + 40, int(bar["y"]) - 10, 60):
        touch("touchMove", {"x": x, "y": y})
    touch("touchMove", {"x": x, "y": bar["y"] - 20})
    last = page.locator(".column[data-value='7']")
    page.wait_for_function(
        "([top, column]) => column.getBoundingClientRect().bottom < top + 5",
        arg=[bar["y"], last.element_handle()],
    )
    touch("touchMove", {"x": x, "y": last.bounding_box()["y"] + 20})
    touch("touchEnd")
    expect(last.locator(".stimulus")).to_have_count(6)
    saved(page)
    entry = forty.scores(link)[1][-1]
    assert (entry.value, entry.in_review) == (7, True)
    context.close()


def _tree(page):
    """The accessibility tree: role, name and properties of every element."""
    reader = page.context.new_cdp_session(page)
    nodes = reader.send("Accessibility.getFullAXTree")["nodes"]
    return [
        (
            node["role"]["value"],
            node.get("name", {}).get("value", ""),
            {one["name"]: one["value"].get("value") for one in node.get("properties", ())},
        )
        for node in nodes
        if not node["ignored"]
    ]


def test_everything_is_announced_to_screen_readers(page, forty):
    continue_with(page, forty.agreed_link())
    press(page, "14")
    page.keyboard.press("ArrowLeft")
    saved(page)
    tree = _tree(page)
    options = [(name, state.get("selected")) for role, name, state in tree if role == "option"]
    scores = {1: "score 1", 2: "score 4"}
    assert options == [
        (f"Image {number}, {scores.get(number, 'not scored')}", number == 2)
        for number in range(1, IMAGES + 1)
    ]
    assert ("listbox", "Images to score") in [(role, name) for role, name, _ in tree]
    # Each score is a button with its pressed state; the ends have their labels.
    pressed = {name: state.get("pressed") for role, name, state in tree if role == "button"}
    assert pressed["Score 4"] == "true"
    assert pressed["Score 1, very similar"] == pressed["Score 7, not similar"] == "false"
    assert "The sketch" in pressed
    live = [state.get("live") for role, _, state in tree if role == "status"]
    assert live == ["polite"] * len(live) and len(live) >= 2
    assert ("StaticText", "saved") in [(role, name) for role, name, _ in tree]
    expect(page.locator("#announcement")).to_have_text("Image 2, score 4. Now image 3.")


def test_corrections_in_the_review_are_announced(page, forty):
    continue_with(page, forty.agreed_link())
    press(page, "1" * IMAGES)
    page.get_by_role("button", name="Review scores").click()
    page.keyboard.press("6")
    expect(page.locator("#announcement")).to_have_text("Image 1, score 6.")
    boxes = [name for role, name, _ in _tree(page) if role == "listbox"]
    assert boxes == ["Score 1", "Score 6"]
    # Corrected in the review, it is still the one that has the keys.
    expect(page.locator("#columns [aria-selected=true]")).to_be_focused()


GROUNDS = """() => ["html", ".bar", "#grid", "#grid .stimulus", "#sketch", "#wording"]
  .map((place) => [place, getComputedStyle(document.querySelector(place))])
  .map(([place, { backgroundColor, color }]) => `${place} ${backgroundColor} ${color}`)"""


def test_images_have_the_same_background_in_dark_mode(chromium, forty):
    link = forty.agreed_link()
    seen = []
    for scheme in ("light", "dark"):
        context = chromium.new_context(color_scheme=scheme)
        page = context.new_page()
        continue_with(page, link)
        seen.append(page.evaluate(GROUNDS))
        accessible(page)
        context.close()
    assert seen[0] == seen[1]
    assert "#grid .stimulus rgb(255, 255, 255)" in seen[0][3]
