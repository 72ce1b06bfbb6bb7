"""Exclusion, withdrawal and retention, by a researcher on a phone and on a desktop."""

import io
import re

import pytest
from PIL import Image
from playwright.sync_api import expect

from study_app import create_app
from study_app.core.config import Settings
from study_app.core.database import opened, writing
from study_app.core.storage import photo_store
from study_app.models import Sitting
from study_app.sittings import sittings
from study_app.studies import studies
from tests.browser.page_checks import accessible, cells_have_values, fits
from tests.study_app.judged import make_set, sort_set
from tests.table_fixtures import make_photo

pytestmark = pytest.mark.browser
GROUPS = [[0, 0, 1, 1], [0, 0, 1, 1], [0, 1, 1, 1], [0, 0, 0, 0]]
PAGES = ("people/", "people/P51", "people/exclusions", "people/retention", "sittings/")
MORE = ("sittings/consent", "sittings/consent/sheet", "sittings/T005/consent/P61")
TABLES = ("sittings/T001", "sittings/T005", "sittings/checklist", "sittings/day")
TABLES += ("sittings/quality",)


@pytest.fixture
def base(served):
    """A study of four assessors who have sorted, and one who has not yet."""
    settings = Settings.of(served.instance)
    with opened(create_app(settings)), writing() as session:
        study = studies.make(session, "Chairs")
        chairs = make_set(session, study.id, "chairs", ["a", "b", "c", "d"])
        sort_set(session, chairs, GROUPS, first_code=51)
        content = io.BytesIO()
        Image.new("RGB", (640, 480), "white").save(content, "JPEG")
        photo = photo_store.save(settings, content.getvalue())
        make_photo(session, session.query(Sitting).first(), photo)
        sittings.plan(session, study, sittings.Plan([chairs], [[("P61", None, None)]]))
    return f"{served.address}/studies/1"


def test_consent_exclusion_by_rule_and_withdrawal(researcher, base):
    page = researcher
    # Texts, then consent on the tablet; sorting begins with it.
    page.goto(f"{base}/sittings/consent")
    page.get_by_role("button", name="Save as version 1").click()
    expect(page.get_by_text("Version 1 is saved")).to_be_visible()
    page.goto(f"{base}/sittings/T005")
    page.get_by_role("link", name="Show the text to P61").click()
    page.get_by_role("checkbox").check()
    page.get_by_role("button", name="I agree").click()
    page.get_by_role("button", name="Start sorting").click()
    expect(page.get_by_role("timer")).to_be_visible()
    # A rule, whom it touches, one press, and back again.
    page.goto(f"{base}/people/exclusions")
    page.get_by_label("Exclude sittings by").select_option("same_answer")
    page.get_by_label("Number").fill("90")
    page.get_by_role("button", name="Set rule").click()
    page.get_by_role("button", name="Exclude 1 sitting").click()
    expect(page.get_by_text("90 % or more of the answers are the same (100 %)")).to_be_visible()
    page.goto(f"{base}/gold/")
    expect(page.get_by_text("n = 3 of 4")).to_be_visible()
    page.goto(f"{base}/people/exclusions")
    page.get_by_role("button", name="Include T004 again").click()
    expect(page.get_by_text("1 exclusion undone")).to_be_visible()
    # A person excluded by hand, a photo deleted, a person withdrawn.
    page.goto(f"{base}/people/P53")
    page.get_by_text("Exclude P53").click()
    page.get_by_label("Reason").fill("slept")
    page.get_by_role("button", name="Exclude from all results").click()
    expect(page.get_by_text(re.compile("P53 was excluded on"))).to_be_visible()
    page.goto(f"{base}/sittings/T001")
    page.get_by_text("Delete a photo permanently").click()
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Delete photo 1").click()
    expect(page.get_by_text(re.compile(r"A photo was deleted on [\s\S]* by Ada"))).to_be_visible()
    page.goto(f"{base}/people/P52")
    page.get_by_text("Withdraw P52").click()
    page.get_by_role("button", name="Delete all data of P52").click()
    expect(page.get_by_text("Withdrawn on")).to_be_visible()
    page.goto(f"{base}/gold/")
    expect(page.get_by_text("n = 2 of 3")).to_be_visible()


def test_a_reason_stays_in_its_form_if_the_sign_in_has_ended(researcher, base):
    page, reason = researcher, "Left early; تعب " + "x" * 200
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{base}/people/P52")
    page.get_by_text("Exclude P52").click()
    page.get_by_label("Reason").fill(reason)
    cookies = page.context.cookies()
    page.context.clear_cookies()
    page.get_by_role("button", name="Exclude from all results").click()
    expect(page.get_by_role("alert")).to_contain_text("session has expired")
    expect(page.get_by_label("Reason")).to_have_value(reason)
    page.context.add_cookies(cookies)
    page.get_by_role("button", name="Exclude from all results").click()
    expect(page.get_by_text("was excluded on").first).to_be_visible()
    fits(page)
    page.goto(f"{base}/people/exclusions")
    fits(page)


@pytest.mark.parametrize("width", [390, 1280])
def test_every_page_about_people_fits_and_is_accessible(researcher, base, width):
    page = researcher
    page.set_viewport_size({"width": width, "height": 844})
    page.goto(f"{base}/sittings/consent")
    page.get_by_role("button", name="Save as version 1").click()
    expect(page.get_by_text("Version 1 is saved")).to_be_visible()
    for address in (*PAGES, *MORE, *TABLES):
        page.goto(f"{base}/{address}")
        page.locator("details").evaluate_all("all => all.forEach((one) => { one.open = true; })")
        fits(page)
        accessible(page)
        if width < 600:
            cells_have_values(page)


def test_the_box_to_agree_is_beside_its_text(researcher, base):
    page = researcher
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{base}/sittings/consent")
    page.get_by_role("button", name="Save as version 1").click()
    expect(page.get_by_text("Version 1 is saved")).to_be_visible()
    page.goto(f"{base}/sittings/T005/consent/P61")
    page.wait_for_load_state("load")
    box = page.get_by_role("checkbox").bounding_box()
    text = page.locator("label > span").bounding_box()
    assert box["x"] + box["width"] <= text["x"] and box["y"] < text["y"] + text["height"]
