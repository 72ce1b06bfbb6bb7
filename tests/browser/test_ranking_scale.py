"""The scale of up to eleven points on the narrowest phone; forty images by forty-two keys."""

import pytest
from playwright.sync_api import expect

from tests.browser.page_checks import fits
from tests.browser.ranking_pages import ServedTask, continue_with, press, saved

pytestmark = pytest.mark.browser

IMAGES = 40
WIDTHS = (320, 1280)
# Where each button is, and where the labels of both ends are.
PLACES = """() => [...document.querySelectorAll(".points button, #scale .end")].map((element) => {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  return { left, right, top, bottom };
})"""


@pytest.fixture(scope="module")
def forty(tmp_path_factory):
    """A served task of two queries with forty images each."""
    served = ServedTask(tmp_path_factory.mktemp("scale"), images=IMAGES)
    yield served
    served.close()


def _rows(page):
    """The buttons' widths row by row, and the labels of the low and the high end."""
    low, *buttons, high = page.evaluate(PLACES)
    tops = sorted({round(one["top"]) for one in buttons})
    rows = [[one for one in buttons if round(one["top"]) == top] for top in tops]
    return rows, low, high


@pytest.mark.parametrize("width", WIDTHS)
def test_scales_wrap_evenly_with_a_label_at_each_end(page, forty, width):
    page.set_viewport_size({"width": width, "height": 800})
    for points in (5, 7, 8, 11):
        task_id = forty.add_task(f"{points} points at {width}", points=points)
        continue_with(page, forty.agreed_link(task_id=task_id))
        fits(page)
        rows, low, high = _rows(page)
        lengths = [len(row) for row in rows]
        assert sum(lengths) == points and max(lengths) - min(lengths) <= 1, lengths
        widths = [one["right"] - one["left"] for row in rows for one in row]
        assert max(widths) - min(widths) < 1 and min(widths) >= 44, widths
        first, last = rows[0][0], rows[-1][-1]
        if width >= 1280:
            # The labels are in the row of the buttons, each at its end.
            assert low["right"] <= first["left"] and last["right"] <= high["left"]
            assert low["top"] < first["bottom"] and high["top"] < last["bottom"]
            continue
        # The low label begins over the first button, the high one ends over or under the last.
        assert low["bottom"] <= first["top"] and low["left"] <= first["left"] + 1
        beside = min(abs(last["top"] - high["bottom"]), abs(high["top"] - last["bottom"]))
        assert beside < 12, (points, beside)


@pytest.mark.parametrize("width", WIDTHS)
def test_the_keys_of_ten_and_eleven_are_shown_and_work(page, forty, width):
    page.set_viewport_size({"width": width, "height": 800})
    task_id = forty.add_task(f"Eleven at {width}", points=11)
    link = forty.agreed_link(task_id=task_id)
    continue_with(page, link)
    assert page.locator(".points kbd").all_inner_texts() == ["0", "−"]
    page.get_by_text("Help and keys").click()
    expect(page.locator("#eleven-key")).to_have_text(", − scores 11")
    page.get_by_text("Help and keys").click()
    expect(page.locator("#eleven-key")).to_be_hidden()
    expect(page.locator("#grid .stimulus:focus")).to_have_count(1)
    press(page, "0-")
    saved(page)
    assert [entry.value for entry in forty.scores(link)[1]] == [10, 11]


@pytest.mark.parametrize("width", WIDTHS)
def test_forty_images_take_forty_two_keys(page, forty, width):
    page.set_viewport_size({"width": width, "height": 800})
    link = forty.agreed_link()
    continue_with(page, link)
    press(page, "1234567" * 5 + "12345")
    press(page, "os")
    expect(page.locator("#progress")).to_contain_text("2 of 2")
    saved(page)
    with forty.app.app_context():
        assert len(forty.scores(link)[0]) == IMAGES
