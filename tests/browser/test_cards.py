"""Cards are laid out with a live preview, printed and downloaded; with the keyboard alone too."""

import pytest
from playwright.sync_api import expect

from printables.cards.manifest import read_manifest
from study_app import create_app
from study_app.core.config import Settings
from study_app.core.database import opened, writing
from study_app.stimuli.importing.run import ImportChoice, import_paths
from study_app.studies import studies
from tests.browser.page_checks import accessible, fits
from tests.study_app.stimuli.importing.pictures_made import png

pytestmark = pytest.mark.browser


@pytest.fixture
def cards(researcher, served, tmp_path):
    """The Cards page of a study with a set of thirty chairs and one of cars."""
    page = researcher
    for name, count in (("chairs", 30), ("cars", 4)):
        (tmp_path / name).mkdir()
        for n in range(count):
            (tmp_path / name / f"{n}.png").write_bytes(png(n + 60 * len(name)))
    settings = Settings.of(served.instance)
    with opened(create_app(settings)):
        with writing() as session:
            study_id = studies.make(session, "Sketches").id
        folders = (tmp_path / "chairs", tmp_path / "cars")
        import_paths(settings, ImportChoice(study_id, None), folders)
    page.goto(f"{served.address}/studies/1/cards/")
    expect(page.locator("#sentence")).to_have_text("4 cards on 1 page")
    page.get_by_label("cars").uncheck()
    page.get_by_label("chairs").check()
    expect(page.locator("#sentence")).to_have_text("30 cards on 2 pages")
    return page


def test_the_preview_follows_every_change(cards):
    page = cards
    expect(page.locator("#paper svg image")).to_have_count(18)
    page.get_by_label("Next page").click()
    expect(page.locator("#page")).to_have_text("Page 2 of 2")
    expect(page.locator("#paper svg image")).to_have_count(12)
    page.get_by_role("button", name="Choose all sets").click()
    expect(page.locator("#sentence")).to_have_text("34 cards on 3 pages")
    page.get_by_label("Letters").fill("A-B")
    expect(page.locator("#sentence")).to_have_text("68 cards on 6 pages")
    box = page.locator("#paper svg").get_attribute("viewBox")
    page.get_by_label("Size").select_option("letter")
    expect(page.locator("#paper svg")).not_to_have_attribute("viewBox", box or "")
    page.get_by_label("Code on the back").check()
    expect(page.locator("#duplex")).to_be_visible()
    page.get_by_label("Each deck has part of its set").check()
    page.get_by_label("Cards in each deck").fill("4")
    expect(page.locator("#notes")).to_contain_text("Each pair of sketches is in")
    accessible(page)


def test_unprintable_options_are_reported_and_disable_printing(cards):
    page = cards
    width = page.locator("[name=card_width]")
    expect(page.locator("#paper svg")).to_be_visible()
    width.fill("20")
    expect(page.get_by_role("alert")).to_contain_text("too small")
    expect(page.get_by_role("button", name="Create PDF")).to_be_disabled()
    # The previous sheet is removed, with its number of cards.
    expect(page.locator("#paper svg")).to_have_count(0)
    expect(page.locator("#sentence")).to_have_text("")
    width.fill("66")
    expect(page.locator("#paper svg")).to_be_visible()
    expect(page.get_by_role("alert")).to_be_hidden()
    expect(page.get_by_role("button", name="Create PDF")).to_be_enabled()


def test_cards_are_printed_and_downloaded(cards, tmp_path):
    page = cards
    page.get_by_role("button", name="Create PDF").click()
    link = page.get_by_role("link", name="Download the PDF")
    expect(link).to_be_focused()
    with page.expect_download() as download:
        link.click()
    download.value.save_as(tmp_path / "cards.pdf")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the manifest").click()
    download.value.save_as(tmp_path / "cards.csv")
    assert (tmp_path / "cards.pdf").read_bytes().startswith(b"%PDF")
    assert len(read_manifest(tmp_path / "cards.csv")) == 30
    expect(page.locator("#printed td").first).to_have_text("chairs")
    page.reload()
    expect(page.locator(".steps .here .state")).to_have_text("30 printed")
    expect(page.get_by_role("link", name="Download the PDF")).to_be_visible()


def test_a_list_of_decks_that_does_not_load_is_no_error(cards):
    page = cards
    page.get_by_label("chairs").check()
    expect(page.locator("#sentence")).to_contain_text("cards on")
    page.route(page.url, lambda route: route.abort())
    with page.expect_event("requestfailed"):
        page.get_by_role("button", name="Create PDF").click()
    expect(page.get_by_role("link", name="Download the PDF")).to_be_visible()
    expect(page.locator("#printed")).to_be_attached()


def test_printing_by_keyboard(cards):
    page = cards
    page.get_by_label("chairs").focus()
    page.keyboard.press("Space")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Space")
    expect(page.locator("#sentence")).to_have_text("4 cards on 1 page")
    page.get_by_label("Letters").focus()
    page.keyboard.press("End")
    page.keyboard.type(", C")
    expect(page.locator("#sentence")).to_have_text("8 cards on 2 pages")
    page.get_by_label("Next page").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#page")).to_have_text("Page 2 of 2")
    page.get_by_role("button", name="Create PDF").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#made")).to_have_text("8 cards on 2 pages")


def test_nothing_scrolls_sideways_on_a_phone(cards):
    page = cards
    page.set_viewport_size({"width": 390, "height": 844})
    page.get_by_label("Code on the back").check()
    fits(page)
    page.get_by_role("button", name="Actual size").click()
    fits(page)


def test_a_refusal_is_in_sight_beside_the_field_that_causes_it(cards):
    page = cards
    width, refusal = page.locator("[name=card_width]"), page.get_by_role("alert")
    for size in ({"width": 390, "height": 844}, {"width": 1280, "height": 800}):
        page.set_viewport_size(size)
        width.evaluate("(field) => field.scrollIntoView({ block: 'center' })")
        width.fill("20")
        expect(refusal).to_contain_text("too small")
        expect(refusal).to_be_in_viewport(ratio=1)
        expect(width).to_be_in_viewport(ratio=1)
        # without a sheet, there are no pages to turn
        expect(page.get_by_role("button", name="Next page")).to_be_hidden()
        expect(page.locator("#paper")).to_be_hidden()
        fits(page)
        width.fill("66")
        expect(page.get_by_role("button", name="Next page")).to_be_visible()
        expect(page.locator("#paper svg")).to_be_visible()
