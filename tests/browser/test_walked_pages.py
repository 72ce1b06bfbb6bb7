"""Regressions on researchers' pages, each at three widths."""

import re

import pytest
from playwright.sync_api import expect

from study_app.core.database import writing
from study_app.models import AuditEntry, Job, Study
from study_app.models.participation import WebSitting
from study_app.ranking.scores.entries import Entry
from study_app.studies import studies
from tests.browser.conftest import signed_in_cookies
from tests.browser.page_checks import fits
from tests.browser.ranking_pages import ServedTask, press, ready, tab_to
from tests.ranking_fixtures import Participant
from tests.ranking_setup import make_link
from tests.study_app.judged import make_set, sort_set

pytestmark = pytest.mark.browser

WIDTHS = (320, 1280)
PAGES = ("", "/sketches/", "/cards/", "/sittings/", "/ranking/", "/gold/", "/systems/")
PAGES += ("/export/", "/people/", "/members/", "/audit/")
IDS = "?PROLIFIC_PID={0}&STUDY_ID=st&SESSION_ID={0}"
# Records each text that the progress of a job shows.
KEEP_WORDS = """() => {
  const progress = document.querySelector("[data-job]");
  if (!progress) return;
  const keep = () => {
    const words = progress.querySelector("[role=status]");
    if (words?.textContent) window.progressed(words.textContent);
  };
  new MutationObserver(keep).observe(progress, { childList: true, subtree: true });
  keep();
}"""

# What is touched, and how high it is, if that is less than a finger needs.
LOW_TARGETS = """() => [...document.querySelectorAll(
    "summary, label:has(> :is([type=checkbox], [type=radio])), p.row > a, .crumb > a")]
  .filter((target) => target.checkVisibility() && target.getBoundingClientRect().height < 44)
  .map((target) => `${target.innerText.trim()}: ${target.getBoundingClientRect().height}`)"""

FIRST_LETTER = """(name) => {
  const first = document.createRange();
  first.setStart(name.firstChild, 0);
  first.setEnd(name.firstChild, 1);
  return first.getBoundingClientRect().toJSON();
}"""


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    """A ranking task with checks and repeats, and a set that three assessors have sorted."""
    served = ServedTask(tmp_path_factory.mktemp("walked"), checks=1, repeats=1)
    with served.app.app_context(), writing() as session:
        letters = make_set(session, 1, "letters", "abcd")
        sort_set(session, letters, [[0, 0, 1, 1], [0, 0, 0, 1], [0, 0, 1, 1]])
    yield served
    served.close()


@pytest.fixture(scope="module")
def cookies(chromium, study):
    """The cookies of a signed-in researcher."""
    return signed_in_cookies(chromium, study.server)


@pytest.fixture(params=WIDTHS)
def researcher(page, cookies, request):
    """A researcher's page, as wide as a phone or a desktop."""
    page.set_viewport_size({"width": request.param, "height": 844})
    page.context.add_cookies(cookies)
    return page


@pytest.fixture
def base(study):
    """The address of the study."""
    return f"{study.server.address}/studies/1"


def test_the_header_is_in_one_place_on_every_page(researcher, base):
    page, places = researcher, {}
    for path in PAGES:
        page.goto(f"{base}{path}")
        parts = page.locator(".top .brand, .top .study-name, .top .account-name, .top button")
        places[path] = [one.bounding_box() for one in parts.all()]
        fits(page)
    assert len(places[""]) == 4
    for path, boxes in places.items():
        assert boxes == places[""], path


def test_the_times_of_the_audit_list_are_inside_its_box(researcher, study, base):
    with study.app.app_context(), writing() as session:
        entry = {"study_id": 1, "actor": "terminal", "action": "changed", "subject": "task"}
        session.add_all(AuditEntry(**entry, name="Tables", changes={}) for _ in range(101))
    researcher.goto(f"{base}/audit/")
    right = "(all) => all.map((one) => one.getBoundingClientRect().right)"
    (box,) = researcher.locator(".plate:has(.audit)").evaluate_all(right)
    times = researcher.locator(".audit th time").evaluate_all(right)
    assert times and max(times) <= box, f"{max(times)} in {box}"
    pages = researcher.locator("nav.pages").bounding_box()
    download = researcher.get_by_role("link", name="Download as CSV").bounding_box()
    assert download["y"] - pages["y"] - pages["height"] >= 8


def test_the_focused_step_is_in_sight_on_a_narrow_screen(page, cookies, base):
    page.context.add_cookies(cookies)
    page.goto(base)
    steps = page.locator(".steps a")
    for width in range(320, 700, 45):
        page.set_viewport_size({"width": width, "height": 400})
        page.evaluate("document.querySelector('.steps').scrollLeft = 0")
        page.get_by_role("link", name="Skip to content").focus()
        tab_to(page, ".steps a")
        for step in steps.all():
            expect(step).to_be_focused()
            expect(step).to_be_in_viewport(ratio=0.98)
            page.keyboard.press("Tab")


def test_a_finger_finds_every_fold_box_and_link_of_a_row(page, cookies, base):
    page.set_viewport_size({"width": 390, "height": 844})
    page.context.add_cookies(cookies)
    for path in (*PAGES, "/ranking/new", "/ranking/1/flow", "/people/P001"):
        page.goto(f"{base}{path}")
        assert page.evaluate(LOW_TARGETS) == [], path
        for fold in page.locator("details.plate:not([open])").all():
            words = fold.locator("summary").first.bounding_box()
            assert fold.bounding_box()["height"] - words["height"] < 16, path


@pytest.mark.parametrize("letters", ["دراسة الرسوم ", "a study of sketches "])
def test_a_long_name_in_the_header_shows_its_beginning(researcher, base, study, letters):
    page, name = researcher, (letters * 10).strip()[:120]
    with study.app.app_context(), writing() as session:
        session.get(Study, 1).name, before = name, session.get(Study, 1).name
    page.goto(f"{base}/people/")
    shown = page.locator(".top .study-name")
    expect(shown).to_have_text(name)
    first, box = shown.evaluate(FIRST_LETTER), shown.bounding_box()
    assert box["x"] <= first["x"] and first["right"] <= box["x"] + box["width"]
    fits(page)
    with study.app.app_context(), writing() as session:
        session.get(Study, 1).name = before


def test_the_buttons_of_a_wide_table_are_not_cut_off(researcher, study, base):
    page = researcher
    somebody = Participant(study.app, make_link(study.app, study.task_id))
    somebody.rank()
    late = Participant(study.app, make_link(study.app, study.task_id))
    position, _, order = late.queries[0]
    late.send(Entry(f"gone-{late.code}", "not_loaded", position, order[0]))
    page.goto(f"{base}/ranking/{study.task_id}/people")
    expect(page.locator("thead th")).to_have_count(9)
    row = page.locator("tr").filter(has_text=somebody.code)
    row.get_by_text("Withdraw", exact=True).focus()
    page.keyboard.press("Enter")
    button = row.get_by_role("button", name=f"Delete all scores of {somebody.code}")
    button.focus()
    box, table = button.bounding_box(), page.locator(".scroll").bounding_box()
    assert box["x"] >= table["x"] and box["x"] + box["width"] <= table["x"] + table["width"]
    corners = [(box["x"] + 2, box["y"] + 8), (box["x"] + box["width"] - 2, box["y"] + 8)]
    for corner in corners:
        seen = "([x, y]) => document.elementFromPoint(x, y)?.closest('button')?.textContent ?? ''"
        assert somebody.code in page.evaluate(seen, corner)
    fits(page)


def test_an_empty_second_entry_is_not_counted_and_can_be_deleted(researcher, base):
    page = researcher
    page.goto(f"{base}/sittings/T001")
    page.get_by_role("button", name="Record a second time").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/T004**")
    page.goto(f"{base}/sittings/")
    expect(page.get_by_role("heading", name="Sittings")).to_contain_text("3 of 3 finished")
    expect(page.get_by_text("twice")).to_have_count(0)
    page.goto(f"{base}/sittings/T004")
    page.get_by_text("Notes and settings").focus()
    page.keyboard.press("Enter")
    delete = page.get_by_role("button", name="Delete this empty second entry")
    asked = []
    page.once("dialog", lambda dialog: (asked.append(dialog.message), dialog.dismiss()))
    delete.focus()
    page.keyboard.press("Enter")
    assert asked == ["Delete T004? This can't be undone."]
    page.once("dialog", lambda dialog: dialog.accept())
    page.keyboard.press("Enter")
    page.wait_for_url("**/sittings/")
    page.goto(f"{base}/sittings/T001")
    expect(page.get_by_role("button", name="Record a second time")).to_be_visible()


def test_pages_without_pictures_show_a_running_import(researcher, study):
    page = researcher
    with study.app.app_context(), writing() as session:
        empty = studies.make(session, f"Importing at {page.viewport_size['width']}")
        job = Job(study_id=empty.id, kind="import_task")
        session.add(job)
        session.flush()
        base, job_id = f"{study.server.address}/studies/{empty.id}", job.id
    for path in ("", "/cards/", "/ranking/"):
        page.goto(f"{base}{path}")
        notice = page.locator(".notice[role=status]")
        expect(notice).to_contain_text("Pictures are being imported.")
        fits(page)
        link = page.get_by_role("link", name="View progress")
        assert link.get_attribute("href").endswith(f"/sketches/imports/{job_id}")
        # What the import makes is not asked for meanwhile.
        expect(page.locator("main a.primary:visible")).to_have_count(0)
    with study.app.app_context(), writing() as session:
        session.get_one(Job, job_id).state = "done"
    page.reload()
    expect(page.get_by_text("Pictures are being imported.")).to_have_count(0)


def test_the_progress_of_an_export_uses_one_scale(researcher, base):
    page, texts = researcher, []
    page.expose_function("progressed", lambda words: texts.append(words))
    page.add_init_script(f"addEventListener('DOMContentLoaded', {KEEP_WORDS})")
    page.goto(f"{base}/export/")
    page.get_by_role("button", name=re.compile("^Export")).focus()
    # Do not wait for the texts of an earlier export.
    with page.expect_navigation():
        page.keyboard.press("Enter")
    expect(page.get_by_role("link", name="Download ZIP")).to_be_visible()
    shown = [int(re.match(r"(\d+) %", words)[1]) for words in texts if words[0].isdigit()]
    assert shown == sorted(shown) and all(0 <= one <= 100 for one in shown)
    assert not [words for words in texts if re.match(r"\d+ of \d+", words)]
    fits(page)


def test_withdrawn_platform_participants_can_still_be_paid(researcher, chromium, study, base):
    page, person = researcher, f"person-{researcher.viewport_size['width']}"
    link = study.link("prolific")
    context = chromium.new_context(viewport=page.viewport_size)
    stranger = context.new_page()
    stranger.goto(link + IDS.format(person))
    tab_to(stranger, "input[type=checkbox]")
    stranger.keyboard.press("Space")
    tab_to(stranger, "button.primary")
    stranger.keyboard.press("Enter")
    stranger.wait_for_url("**/rank")
    ready(stranger)
    press(stranger, "3")
    stranger.goto(stranger.url.removesuffix("rank") + "withdraw")
    expect(
        stranger.get_by_text("Your platform ID is kept so that you can be paid.")
    ).to_be_visible()
    stranger.get_by_role("button", name="Delete my scores").focus()
    stranger.keyboard.press("Enter")
    stranger.wait_for_url("**/thanks")
    context.close()
    page.goto(f"{base}/ranking/{study.task_id}/platform")
    row = page.locator("tr").filter(has_text=person)
    expect(row).to_contain_text("withdrew")
    expect(row.locator("td[data-name=ID]")).to_have_text(person)
    expect(row.locator("td[data-name=decision]")).to_have_text("return")
    fits(page)
    with study.app.app_context(), writing() as session:
        withdrawn = session.query(WebSitting).order_by(WebSitting.id.desc()).first()
        assert withdrawn.ending == "withdrew" and withdrawn.answers == {}
