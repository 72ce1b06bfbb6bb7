"""Once opened the task works without a server: opened again, scored, and all of it there."""

import pytest
from playwright.sync_api import expect

from tests.browser.page_checks import wait_until
from tests.browser.ranking_pages import ServedTask, begin, press, ready, saved

pytestmark = pytest.mark.browser


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
