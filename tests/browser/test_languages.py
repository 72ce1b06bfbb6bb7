"""The ranking page from right to left, with every text of its scripts translated."""

from threading import Thread

import pytest
from playwright.sync_api import expect
from werkzeug.serving import make_server

from tests.browser.page_checks import accessible, fits
from tests.browser.ranking_pages import chosen, press
from tests.pseudo_language import untranslated, without_brackets, write_pseudo
from tests.ranking_setup import make_link, make_task

pytestmark = pytest.mark.browser


@pytest.fixture
def link(app, tmp_path):
    """A link to a task with names in signs, on a server that has Arabic in brackets."""
    app.extensions["translations"] = write_pseudo(tmp_path / "translations", "ar")
    task = make_task(app, tmp_path / "pictures", study="研究", name="課題", practice=("q1",))
    server = make_server("127.0.0.1", 0, app, threaded=True)
    Thread(target=server.serve_forever).start()
    yield f"http://127.0.0.1:{server.port}/take-part/{make_link(app, task, 'open')}/"
    server.shutdown()


def _translated(page):
    """Every text and label of the page, as its scripts made it."""
    assert untranslated(page.content()) == []


def test_a_whole_participation_in_arabic_on_a_phone(page, link):
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(link)
    page.get_by_label("Language").select_option("ar")
    page.get_by_role("button", name="Change").click()
    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    fits(page)
    page.get_by_role("checkbox").check()
    page.get_by_role("button", name="⟦Start⟧").click()
    page.wait_for_url("**/rank")
    page.wait_for_selector("#workspace[aria-busy=false]")
    expect(page.locator("html")).to_have_attribute("lang", "ar")
    accessible(page)
    fits(page)
    _translated(page)
    _ends_beside_their_ends(page)
    # The second image is to the left of the first.
    first, second = chosen(page), "⟦Image 2, not scored⟧"
    press(page, ["ArrowLeft"])
    assert (first, chosen(page)) == ("⟦Image 1, not scored⟧", second)
    press(page, ["ArrowRight", *"123456"])
    assert without_brackets(page.locator("#announcement").text_content()) == []
    page.locator("#to-review").click()
    accessible(page)
    fits(page)
    _translated(page)
    page.locator("#columns").screenshot()
    press(page, ["Shift+ArrowLeft"])
    expect(page.locator("#columns [aria-selected=true]")).to_have_attribute(
        "aria-label", "⟦Image 1, score 2⟧"
    )
    # By the key: a click here so soon after the one on Review would be a double tap's second.
    press(page, ["s"])
    expect(page.locator("#progress")).to_contain_text("⟦Sketch 1 of 1⟧")
    page.locator("#pause").click()
    _translated(page)


def _ends_beside_their_ends(page):
    """From the right: the low end and 1, from the left: the high end and the highest point."""
    places = {
        name: page.locator(selector).bounding_box()["x"]
        for name, selector in {
            "low": "#scale .low",
            "high": "#scale .high",
            "first": ".points button:first-child",
            "last": ".points button:last-child",
        }.items()
    }
    assert places["low"] > places["high"] and places["first"] > places["last"]
