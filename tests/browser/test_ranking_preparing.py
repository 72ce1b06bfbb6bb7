"""A ranking task before the first participant: texts, links, preview, try-outs, confirmations."""

import re

import pytest
from playwright.sync_api import expect

from study_app.core.database import db
from study_app.models.participation import WebSitting
from tests.browser.conftest import signed_in_cookies
from tests.browser.page_checks import accessible, fits
from tests.browser.ranking_pages import press, ranked, ready, tab_to
from tests.ranking_fixtures import Participant
from tests.ranking_setup import make_link

__all__ = ["ranked"]
pytestmark = pytest.mark.browser

WIDTHS = (320, 1280)


@pytest.fixture(scope="module")
def cookies(chromium, ranked):
    """The cookies of a signed-in researcher."""
    return signed_in_cookies(chromium, ranked.server)


@pytest.fixture(params=WIDTHS)
def researcher(page, cookies, request):
    """A researcher's page, as wide as a phone or a desktop."""
    page.set_viewport_size({"width": request.param, "height": 844})
    page.context.add_cookies(cookies)
    return page


def _address(ranked, task_id):
    return f"{ranked.server.address}/studies/1/ranking/{task_id}"


def _press_link(page, name):
    """Follow a link with the keyboard alone."""
    page.get_by_role("link", name=name).focus()
    page.keyboard.press("Enter")


def _answer(page, button, *, accept):
    """Press a button with the keyboard and answer the question that the browser asks; its words."""
    asked = []

    def answer(dialog):
        asked.append(dialog.message)
        dialog.accept() if accept else dialog.dismiss()

    page.once("dialog", answer)
    button.focus()
    page.keyboard.press("Enter")
    assert len(asked) == 1, "nothing was asked"
    return asked[0]


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("personal", "come back with the same link."),
        ("open", "We don't know who you are."),
        ("platform", "Your ID on the platform is stored apart"),
    ],
)
def test_each_kind_of_link_has_a_template_of_the_consent(researcher, ranked, kind, words):
    page, task_id = researcher, ranked.add_task(f"Texts {kind} {researcher.viewport_size}")
    page.goto(f"{_address(ranked, task_id)}/texts")
    _press_link(page, f"{kind} links")
    page.wait_for_url(f"**template={kind}")
    expect(page.locator("a[aria-current=true]")).to_have_text(f"{kind} links")
    expect(page.get_by_label("Information for participants")).to_have_value(re.compile(words))
    accessible(page)
    fits(page)
    page.get_by_role("button", name="Save as version 2").focus()
    with page.expect_navigation(url="**/texts"):
        page.keyboard.press("Enter")
    page.goto(ranked.link(task_id=task_id))
    expect(page.locator("main .text")).to_contain_text(words)


def test_reloading_new_links_creates_no_further_links(researcher, ranked):
    page, task_id = researcher, ranked.add_task(f"Links {researcher.viewport_size}")
    page.goto(f"{_address(ranked, task_id)}/")
    page.get_by_label("Number of personal links").fill("3")
    page.get_by_role("button", name="Create links").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".slip")).to_have_count(3)
    fits(page)
    # The browser sends the form of the page again.
    page.reload()
    expect(page.get_by_role("status")).to_contain_text("These links were created already")
    expect(page.get_by_text("3 links", exact=True)).to_be_visible()
    page.reload()
    expect(page.get_by_text("3 links", exact=True)).to_be_visible()


def test_a_preview_is_not_counted_and_does_not_change_the_task(researcher, ranked):
    page, task_id = researcher, ranked.add_task(f"Preview {researcher.viewport_size}")
    task = _address(ranked, task_id)
    page.goto(f"{task}/")
    _press_link(page, "Preview")
    expect(page.get_by_role("note")).to_contain_text("Preview: nothing is stored.")
    fits(page)
    tab_to(page, "a.primary")
    page.keyboard.press("Enter")
    page.wait_for_url("**/preview/rank")
    back = page.get_by_role("note").get_by_role("link", name="Back to the task")
    for number in (1, 2):
        expect(page.locator("#progress")).to_contain_text(f"{number} of 2")
        ready(page)
        expect(page.locator("#saving")).to_be_hidden()
        expect(back).to_be_visible()
        press(page, "123456")
        press(page, "os")
    page.wait_for_url("**/preview/thanks")
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
    back.click()
    page.wait_for_url(f"{task}/")
    page.goto(f"{task}/settings")
    expect(page.get_by_text("No participant has started, so everything")).to_be_visible()
    expect(page.get_by_label("from 1 to")).to_be_enabled()
    page.goto(f"{task}/queries")
    expect(page.get_by_role("link", name="Add a query")).to_be_visible()
    page.goto(f"{ranked.server.address}/studies/1/ranking/")
    of_task = page.locator("li").filter(has_text=f"Preview {page.viewport_size}")
    expect(of_task).to_contain_text("0 of")
    with ranked.app.app_context():
        assert db.session.query(WebSitting).filter_by(task_id=task_id).count() == 0


def test_removing_a_query_asks_for_confirmation(researcher, ranked):
    page, task_id = researcher, ranked.add_task(f"Queries {researcher.viewport_size}")
    page.goto(f"{_address(ranked, task_id)}/queries")
    expect(page.get_by_role("heading", name="2 queries")).to_be_visible()
    remove = page.get_by_role("button", name="Remove the query q1")
    asked = _answer(page, remove, accept=False)
    assert asked == "Remove the query q1 and its list of images?"
    page.reload()
    expect(page.get_by_role("heading", name="2 queries")).to_be_visible()
    _answer(page, remove, accept=True)
    expect(page.get_by_role("heading", name="1 query")).to_be_visible()
    expect(remove).to_have_count(0)


def test_after_a_try_out_all_pages_show_the_same_numbers(researcher, ranked):
    page, task_id = researcher, ranked.add_task(f"Try-out {researcher.viewport_size}")
    Participant(ranked.app, make_link(ranked.app, task_id, purpose="tryout"))
    task = _address(ranked, task_id)
    page.goto(f"{task}/settings")
    expect(page.get_by_text("No participant has started except 1 try-out")).to_be_visible()
    fits(page)
    page.get_by_label("from 1 to").fill("9")
    save = page.get_by_role("button", name="Save settings")
    assert "deletes 1 try-out. Save the settings?" in _answer(page, save, accept=False)
    page.goto(f"{task}/queries")
    expect(page.get_by_text("A try-out has started. Delete it to change")).to_be_visible()
    expect(page.get_by_text("Participants have started")).to_have_count(0)
    fits(page)
    delete = page.get_by_role("button", name="Delete 1 try-out")
    assert _answer(page, delete, accept=False) == "Delete 1 try-out with all scores?"
    _answer(page, delete, accept=True)
    expect(page.get_by_role("link", name="Add a query")).to_be_visible()
    page.goto(f"{task}/settings")
    expect(page.get_by_text("No participant has started, so everything")).to_be_visible()
    # With a participant, both pages count one.
    Participant(ranked.app, make_link(ranked.app, task_id))
    page.reload()
    expect(page.get_by_text("Participants have started this task.")).to_be_visible()
    page.goto(f"{task}/queries")
    expect(page.get_by_text("Participants have started, so the queries")).to_be_visible()


def test_a_copied_task_has_a_completion_code_of_its_own(researcher, ranked):
    page = researcher
    name = f"Copied {page.viewport_size['width']}"
    task_id = ranked.add_task(name, completion_code="FIRST1")
    Participant(ranked.app, make_link(ranked.app, task_id))
    page.goto(f"{_address(ranked, task_id)}/settings")
    expect(page.get_by_label("Completion code")).to_have_value("FIRST1")
    page.get_by_role("button", name="Copy this task").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text(f"This is {name} (copy)")).to_be_visible()
    expect(page.get_by_label("Completion code")).to_have_value(re.compile("^(?!FIRST1).{8}$"))
    expect(page.get_by_label("Completion URL of the platform")).to_have_value("")
    fits(page)


def test_each_task_shows_its_own_progress(researcher, ranked):
    page = researcher
    task_id = ranked.add_task(f"Counted {page.viewport_size}", quota=3)
    page.goto(f"{ranked.server.address}/studies/1/ranking/")
    of_task = page.locator("li").filter(has_text=f"Counted {page.viewport_size}")
    expect(of_task).to_contain_text("0 of 3 participants finished")
    Participant(ranked.app, make_link(ranked.app, task_id)).rank()
    page.reload()
    expect(of_task).to_contain_text("1 of 3 participants finished")
    # The step counts tasks, not the places of all tasks together.
    count = page.locator(".plates > li").count()
    step = page.locator(".steps a[aria-current=page] .state")
    expect(step).to_have_text(re.compile(rf"\b{count} tasks\b"))
    fits(page)
