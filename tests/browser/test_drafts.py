"""What a participant entered and did not send: there after a reload, and for nobody else."""

import pytest
from playwright.sync_api import expect

from study_app.core.database import writing
from study_app.models.ranking import RankingTask
from study_app.participation.consent.questions import parse_comprehension, parse_questions
from tests.browser.page_checks import wait_until
from tests.browser.ranking_pages import ServedTask, press, ready

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def asking(tmp_path_factory):
    """A served task that asks before the scores and after them."""
    served = ServedTask(tmp_path_factory.mktemp("asking"), images=2, queries=1)
    with served.app.app_context(), writing() as session:
        task = session.get(RankingTask, served.task_id)
        task.questions = parse_questions("Hand: left | right\nTown")
        task.comprehension = parse_comprehension("What is 1? * very similar | not similar")
        task.end_questions = parse_questions("Effort: little | much")
        task.asks_comment = True
    yield served
    served.close()


def nothing_kept(page):
    """Wait until the tab's storage is empty."""
    wait_until(page, "sessionStorage.length === 0")


def fill_welcome(page):
    """Answer the questions of the welcome page and agree, without sending."""
    page.get_by_label("Hand").select_option("left")
    page.get_by_label("Town").fill("Izmir")
    page.get_by_role("checkbox").check()


def test_a_reload_loses_nothing_up_to_the_end_and_nothing_is_left_then(page, asking):
    page.goto(asking.link("open"))
    fill_welcome(page)
    page.reload()
    expect(page.get_by_label("Hand")).to_have_value("left")
    expect(page.get_by_label("Town")).to_have_value("Izmir")
    # Agreement is given, never restored.
    expect(page.get_by_role("checkbox")).not_to_be_checked()
    page.get_by_label("Language").select_option("de")
    page.locator("form.languages button").click()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.get_by_label("Town")).to_have_value("Izmir")
    page.get_by_role("checkbox").check()
    page.locator("#agree button").click()
    page.wait_for_url("**/check")
    nothing_kept(page)
    page.get_by_role("radio").nth(0).check()
    page.reload()
    expect(page.get_by_role("radio").nth(0)).to_be_checked()
    page.locator("form button.primary").click()
    page.wait_for_url("**/rank")
    ready(page)
    press(page, "12os")
    page.wait_for_url("**/thanks")
    page.locator("textarea").fill("It was fun.")
    page.locator("select").select_option("much")
    page.reload()
    expect(page.locator("textarea")).to_have_value("It was fun.")
    expect(page.locator("select")).to_have_value("much")
    page.locator("form button.primary").click()
    expect(page.locator("[data-ending=complete]")).to_be_visible()
    nothing_kept(page)


@pytest.mark.parametrize("leave", ["anew", "declined", "withdrawn"])
def test_the_next_person_at_the_computer_sees_nothing(page, asking, leave):
    link = asking.link("open")
    page.goto(link)
    fill_welcome(page)
    if leave == "declined":
        page.get_by_role("button", name="I don't agree").click()
        expect(page.locator("[data-ending=no_consent]")).to_be_visible()
    elif leave == "withdrawn":
        page.get_by_role("button", name="Start").click()
        page.wait_for_url("**/check")
        page.get_by_role("radio").nth(0).check()
        page.get_by_role("link", name="Withdraw").click()
        page.get_by_role("button", name="Delete my scores").click()
        expect(page.locator("[data-ending=withdrew]")).to_be_visible()
    if leave != "anew":
        nothing_kept(page)
    page.goto("about:blank")
    page.goto(link)
    expect(page.get_by_label("Town")).to_have_value("")
    nothing_kept(page)
    page.reload()
    expect(page.get_by_label("Town")).to_have_value("")


def test_another_person_of_a_platform_gets_an_empty_form(page, asking):
    link = asking.link("prolific")
    query = "?PROLIFIC_PID={}&STUDY_ID=s&SESSION_ID=t"
    page.goto(link + query.format("ann"))
    fill_welcome(page)
    page.goto(link + query.format("bob"))
    expect(page.get_by_label("Town")).to_have_value("")
    page.go_back()
    expect(page.get_by_label("Town")).to_have_value("")


def test_after_half_an_hour_a_draft_is_not_restored(page, asking):
    page.goto(asking.link("open"))
    fill_welcome(page)
    page.evaluate(
        """() => {
            const draft = JSON.parse(sessionStorage.getItem("rank:draft"));
            draft.kept_ms -= 31 * 60 * 1000;
            sessionStorage.setItem("rank:draft", JSON.stringify(draft));
        }"""
    )
    page.reload()
    expect(page.get_by_label("Town")).to_have_value("")
    nothing_kept(page)
