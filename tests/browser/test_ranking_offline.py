"""Once opened the task works without a server: opened again, scored, and all of it there."""

import pytest
from playwright.sync_api import expect

from tests.browser.page_checks import wait_until
from tests.browser.ranking_pages import ServedTask, begin, press, ready, saved

pytestmark = pytest.mark.browser

SCORES_CACHED = """async () => {
    const cached = await caches.match(window.location.pathname.replace(/rank$/, "plan"));
    return cached ? Object.keys((await cached.json()).queries[0].scores).length : 0;
}"""


@pytest.fixture
def page(chromium):
    """A stranger's page in a browser that runs service workers."""
    context = chromium.new_context()
    yield context.new_page()
    context.close()


def test_scores_given_offline_survive_a_reload_and_are_sent(page, tmp_path):
    served = ServedTask(tmp_path, images=4)
    link = served.link()
    begin(page, link)
    page.wait_for_selector("html[data-offline=ready]", state="attached")
    assert page.evaluate("navigator.serviceWorker.ready.then((worker) => Boolean(worker.active))")
    press(page, "12")
    saved(page)
    served.server.kill()
    press(page, "34")
    expect(page.locator("#saving")).to_contain_text("waiting to be sent")
    press(page, "os")
    page.reload()
    ready(page)
    # The second query, with its pictures; the first is answered and waits to be sent.
    expect(page.locator("#progress")).to_contain_text("2 of 2")
    press(page, "5")
    expect(page.locator("#grid .badge").first).to_have_text("5")
    page.reload()
    ready(page)
    expect(page.locator("#grid .badge").first).to_have_text("5")
    served.server.start()
    saved(page)
    values = sorted(value for value in served.scores(link)[0].values())
    assert values == [1, 2, 3, 4, 5]
    served.close()


def test_the_page_can_be_installed_and_is_removed_at_the_end(page, tmp_path):
    served = ServedTask(tmp_path, images=2, queries=1)
    begin(page, served.link())
    page.wait_for_selector("html[data-offline=ready]", state="attached")
    address = page.locator("link[rel=manifest]").get_attribute("href")
    manifest = page.request.get(served.server.address + address).json()
    assert manifest["start_url"] == manifest["scope"] == address.removesuffix("app.webmanifest")
    press(page, "12os")
    page.wait_for_url("**/thanks")
    wait_until(page, "caches.keys().then((names) => names.length === 0)")
    served.close()


@pytest.mark.parametrize("kind", ["open", "personal"])
def test_the_link_leads_to_the_saved_task_offline_until_the_end(page, tmp_path, kind):
    served = ServedTask(tmp_path, images=3, queries=1)
    link = served.link(kind)
    begin(page, link)
    page.wait_for_selector("html[data-offline=ready]", state="attached")
    press(page, "1")
    expect(page.locator("#grid .badge")).to_have_text(["1", "", ""])
    saved(page)
    wait_until(page, f"({SCORES_CACHED})().then((count) => count === 1)")
    served.server.kill()
    page.goto(link)
    expect(page.get_by_role("heading", name="No connection")).to_be_visible()
    # Without a form: the next person at this device cannot agree in the name of the first.
    expect(page.locator("form")).to_have_count(0)
    page.get_by_role("link", name="Continue where you stopped").click()
    page.wait_for_url(lambda address: "/take-part/" in address and address.count(".") > 3)
    ready(page)
    expect(page.locator("#grid .badge")).to_have_text(["1", "", ""])
    press(page, "23")
    served.server.start()
    saved(page)
    press(page, "os")
    page.wait_for_url("**/thanks")
    wait_until(page, "caches.keys().then((names) => names.length === 0)")
    wait_until(page, "navigator.serviceWorker.getRegistrations().then((all) => all.length === 0)")
    served.close()
