"""Links for a letter to each person: copied, with and without a clipboard of the browser."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import sign_in
from tests.browser.ranking_pages import ranked

__all__ = ["ranked"]
pytestmark = pytest.mark.browser
# The clipboard of a browser on a page over plain HTTP from another computer.
NO_CLIPBOARD = "Object.defineProperty(Navigator.prototype, 'clipboard', { get: () => undefined })"


def _copied(page, task, without):
    """The addresses of two new links, copied and pasted."""
    page.goto(task)
    if not page.get_by_label("Number of personal links").is_visible():
        page.get_by_text("Invite people").click()
    page.get_by_label("Number of personal links").fill("2")
    page.get_by_role("button", name="Create links").click()
    expect(page.locator(".slip")).to_have_count(2)
    page.wait_for_load_state()
    page.evaluate(without)
    page.get_by_role("button", name="Copy links").click()
    expect(page.locator("#copied")).to_have_text("Copied.")
    numbers = page.locator(".slip").evaluate_all("all => all.map((slip) => slip.dataset.number)")
    addresses = page.locator(".slip .address").all_inner_texts()
    shown = [f"{number}\t{address}" for number, address in zip(numbers, addresses, strict=True)]
    page.goto(f"{task}texts")
    field = page.get_by_label("Consent statement")
    field.fill("")
    field.press("Control+v")
    expect(field).to_have_value("\n".join(shown))
    return shown


def test_addresses_are_copied_one_per_line(page, ranked):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    sign_in(page, ranked.server)
    task = f"{ranked.server.address}/studies/1/ranking/{ranked.task_id}/"
    for without in ("", NO_CLIPBOARD):
        assert _copied(page, task, without)[0].split("\t")[1].startswith("http")
