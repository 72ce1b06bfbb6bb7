"""The live camera, with a real Chromium whose camera films a table."""

import io

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import expect

from printables.reading.symbols.decoding import decode_frame
from tests.browser.conftest import CHROMIUM
from tests.browser.recording_page import HIGH, LISTEN

pytestmark = pytest.mark.browser

# A cheap webcam far above the table: too coarse for a plain decoder.
MEGAPIXELS = 0.4
FRAMES = 10


@pytest.fixture
def filming(chromium, table, tmp_path):
    """The recording page in a browser whose camera films cards 1 to 6."""
    scene = table.printed.photo([[1, 2, 3, 4, 5, 6]], 2, MEGAPIXELS)
    frame = Image.open(io.BytesIO(scene)).convert("L").resize((720, 540), Image.Resampling.BICUBIC)
    assert len(decode_frame(np.array(frame))) < 6
    film = tmp_path / "film.mjpeg"
    with film.open("wb") as file:
        for _ in range(FRAMES):
            frame.convert("RGB").save(file, "JPEG", quality=92)
    options = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]
    options += ["--no-sandbox", f"--use-file-for-fake-video-capture={film}"]
    browser = chromium.browser_type.launch(executable_path=CHROMIUM, args=options)
    context = browser.new_context(storage_state=table.page.context.storage_state())
    context.add_init_script(LISTEN)
    page = context.new_page()
    page.goto(table.page.url)
    yield page
    browser.close()


def test_the_live_camera_records_a_card_once(table, filming):
    rows = filming.locator(".group .stimulus")
    filming.get_by_role("button", name="Live camera").click()
    expect(filming.locator("#count")).to_have_text("6 of 12")
    expect(filming.locator("#camera [role=status]")).to_have_text("6 cards in view.")
    expect(filming.locator("#camera .stimulus img")).to_have_count(6)
    # they stay in view: the next group does not take them too, and nothing is asked
    filming.get_by_role("button", name="Next group").click()
    expect(filming.locator(".group.current .count")).to_have_text("0 · cards go here")
    for _ in range(2):
        with filming.expect_response("**/frames"):
            pass
    expect(rows).to_have_count(6)
    assert filming.evaluate("tones") == [HIGH] * 6
    expect(filming.locator("#messages .refusal")).to_have_count(0)
    filming.get_by_role("button", name="Live camera").click()
    expect(filming.locator("#camera")).to_be_hidden()
    table.saved(6)
    expect(table.page.locator(".group:not(.current) .badge")).to_have_text(["1"])


@pytest.mark.parametrize("width, height", [(390, 844), (844, 390), (740, 360), (932, 430)])
def test_the_picture_of_the_live_camera_stays_in_sight_on_a_phone(filming, width, height):
    """Recorded cards do not scroll the page away from it, also if the phone is held sideways."""
    filming.set_viewport_size({"width": width, "height": height})
    filming.get_by_role("button", name="Live camera").click()
    expect(filming.locator("#count")).to_have_text("6 of 12")
    expect(filming.locator("#camera .stimulus img")).to_have_count(6)
    picture = filming.locator("#camera .film")
    expect(picture).to_be_in_viewport(ratio=1)
    below = filming.locator(".foot").bounding_box()["y"]
    box = picture.bounding_box()
    assert box["y"] + box["height"] <= below
    # the outlines are drawn over the whole picture, and nothing else
    assert box == pytest.approx(picture.locator("video").bounding_box(), abs=1)
    # so does the button that turns it off
    button = filming.get_by_role("button", name="Live camera")
    expect(button).to_be_in_viewport(ratio=1)
    # and shows that it is on
    assert button.evaluate("(pressed) => getComputedStyle(pressed).boxShadow") != "none"
    # and, dark, the first cards that are missing
    missing = filming.locator("#missing.dark button").first.bounding_box()
    assert missing["y"] + missing["height"] <= below


def test_cards_light_up_in_the_picture_of_the_live_camera(filming):
    """A dark table hardly gets darker, so the cards are outlined."""
    filming.get_by_role("button", name="Live camera").click()
    expect(filming.locator("#camera [role=status]")).to_have_text("6 cards in view.")
    outlines = filming.locator("#camera .film .read")
    assert outlines.get_attribute("d").count("M") == 6
    assert outlines.evaluate("(path) => getComputedStyle(path).strokeWidth") == "4px"
    width, height = outlines.evaluate("(p) => [p.getBBox().width, p.getBBox().height]")
    assert 0.2 < width <= 1 and 0.2 < height <= 1
    assert filming.locator("#camera .film .wrong").get_attribute("d") == ""


def test_cards_that_do_not_belong_to_the_sitting_are_outlined_differently(filming):
    """They stay dark, with dashes around them."""
    corners = [[0.1, 0.1], [0.2, 0.1], [0.2, 0.2], [0.1, 0.2]]

    def with_a_wrong_card(route):
        answer = route.fetch()
        card = {"code": "1", "how": "matched", "outline": corners, "refused": "Remove it."}
        seen = [*answer.json()["seen"], card]
        route.fulfill(response=answer, json={"seen": seen})

    filming.route("**/frames", with_a_wrong_card)
    filming.get_by_role("button", name="Live camera").click()
    expect(filming.locator("#camera [role=status]")).to_have_text("7 cards in view.")
    picture = filming.locator("#camera .film")
    wrong = picture.locator(".wrong")
    assert wrong.get_attribute("d") == "M0.1 0.1L0.2 0.1L0.2 0.2L0.1 0.2Z"
    assert wrong.evaluate("(path) => getComputedStyle(path).strokeDasharray") == "9px, 7px"
    for name in ("read", "dark"):
        assert picture.locator(f".{name}").get_attribute("d").count("M") == 6 + (name == "dark")


def test_the_camera_reports_an_unreachable_server_and_continues(table, filming):
    filming.get_by_role("button", name="Live camera").click()
    expect(filming.locator("#camera [role=status]")).to_have_text("6 cards in view.")
    table.served.kill()
    expect(filming.locator("#camera [role=status]")).to_contain_text("No connection")
    table.served.start()
    expect(filming.locator("#camera [role=status]")).to_have_text("6 cards in view.")


def test_the_live_camera_says_into_which_group_cards_go(filming):
    filming.get_by_role("button", name="Live camera").click()
    words = filming.locator("#camera").get_by_text("Every card in view goes into group")
    expect(words).to_contain_text("group 1.")
    expect(filming.locator("#count")).to_have_text("6 of 12")
    filming.get_by_role("button", name="Next group").click()
    expect(words).to_contain_text("group 2.")


def test_a_second_press_while_the_browser_asks_does_not_film_twice(filming):
    filming.evaluate(
        """() => {
          const devices = navigator.mediaDevices, ask = devices.getUserMedia.bind(devices);
          window.given = [];
          devices.getUserMedia = async (wanted) => {
            await new Promise((answered) => setTimeout(answered, 500));
            given.push(await ask(wanted));
            return given.at(-1);
          };
        }"""
    )
    button = filming.get_by_role("button", name="Live camera")
    button.dblclick()
    expect(filming.locator("#camera [role=status]")).to_have_text("6 cards in view.")
    button.click()
    expect(filming.locator("#camera")).to_be_hidden()
    state = "given.map((stream) => stream.getTracks()[0].readyState)"
    assert filming.evaluate(state) == ["ended"]
