"""Device rules: the welcome page refuses an unsuitable device before consent."""

import pytest
from playwright.sync_api import expect

from study_app.core.database import writing
from study_app.models.ranking import RankingTask
from study_app.participation.flow import Flow, change_flow
from tests.browser.page_checks import accessible, fits
from tests.browser.ranking_pages import ranked

__all__ = ["ranked"]
pytestmark = pytest.mark.browser

LAPTOP = {"screen": {"width": 1280, "height": 800}, "viewport": {"width": 1280, "height": 700}}
TABLET = {
    "screen": {"width": 1366, "height": 1024},
    "viewport": {"width": 1024, "height": 1366},
    "has_touch": True,
    "is_mobile": True,
}
PHONE = {"has_touch": True, "is_mobile": True}
PHONES = [
    {**PHONE, "screen": size, "viewport": size}
    for size in ({"width": 320, "height": 640}, {"width": 390, "height": 844})
]
RULES = {
    "laptop only": {"laptop_only": True},
    "large screen": {"screen_width": 1000, "screen_height": 700},
}
WORDS = {
    "laptop only": "a laptop or desktop computer with a mouse or trackpad",
    "large screen": "a screen of at least 1000 × 700 pixels",
}


@pytest.fixture
def visit(chromium, ranked):
    """Opens the welcome page of a task with a rule on a device."""
    contexts = []

    def visiting(rule, device):
        rules = Flow(**RULES[rule], endings={"screened_out": {"code": "OUT3"}})
        task_id = ranked.add_task(f"{rule}: {device['screen']}")
        with ranked.app.app_context(), writing() as session:
            change_flow(session.get_one(RankingTask, task_id), rules)
        contexts.append(chromium.new_context(**device, service_workers="block"))
        page = contexts[-1].new_page()
        page.goto(ranked.link("open", task_id=task_id))
        return page

    yield visiting
    for context in contexts:
        context.close()


@pytest.mark.parametrize(
    ("rule", "device"),
    [("laptop only", PHONES[0]), ("laptop only", TABLET), ("large screen", PHONES[1])],
)
def test_an_unsuitable_device_is_refused_before_consent(visit, rule, device):
    page = visit(rule, device)
    refusal = page.get_by_role("alert")
    expect(refusal).to_contain_text("This study can't be done on this device.")
    expect(refusal.get_by_role("listitem")).to_have_text([WORDS[rule]])
    for part in ("#agree", "#decline"):
        expect(page.locator(part)).to_be_hidden()
    accessible(page)
    fits(page)
    page.get_by_role("button", name="I don't have such a device").focus()
    page.keyboard.press("Enter")
    expect(page.locator("h1[data-ending=screened_out]")).to_be_visible()
    expect(page.locator("#code")).to_have_text("OUT3")
    fits(page)


@pytest.mark.parametrize(
    ("rule", "device"),
    [("laptop only", LAPTOP), ("large screen", LAPTOP), ("large screen", TABLET)],
)
def test_a_suitable_device_can_start(visit, rule, device):
    page = visit(rule, device)
    expect(page.locator("#agree")).to_be_visible()
    expect(page.locator("#device")).to_be_hidden()
    page.get_by_role("checkbox").check()
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/rank")
