"""The real server in a process of its own, and a real Chromium in front of it."""

import re
import shutil

import pytest
from playwright.sync_api import expect, sync_playwright

from tests.browser.page_checks import PATIENCE_MS
from tests.browser.recording_page import lay_table, print_table
from tests.conftest import need
from tests.served import Served

expect.set_options(timeout=PATIENCE_MS)

PASSWORD = "a long enough one"
CHROMIUM_OPTIONS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


# The shell is the same Chromium without the window around the page: half of the processor time.
CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium-headless-shell", "chromium", "google-chrome"))), None
)


@pytest.fixture(scope="session")
def printed_table(tmp_path_factory, up_to_date):
    """An installation with a printed set of twelve cards, for tests to copy; and the cards."""
    folder = tmp_path_factory.mktemp("printed-table")
    (folder / "instance").mkdir()
    shutil.copyfile(up_to_date, folder / "instance" / "study.sqlite3")
    return folder / "instance", print_table(folder / "instance", folder)


@pytest.fixture
def served(request, tmp_path, up_to_date):
    """A fresh installation, served; with a printed set for tests of a table."""
    if "table" in request.fixturenames:
        instance, _ = request.getfixturevalue("printed_table")
        shutil.copytree(instance, tmp_path / "instance")
    else:
        (tmp_path / "instance").mkdir()
        shutil.copyfile(up_to_date, tmp_path / "instance" / "study.sqlite3")
    server = Served(tmp_path / "instance", is_forked=True)
    yield server
    server.kill()


@pytest.fixture(scope="session")
def chromium():
    """A real Chromium, whose pages wait as long as `expect` does."""
    need(CHROMIUM, "no Chromium is installed")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_OPTIONS)
        make_context = browser.new_context

        def patient_context(**options):
            context = make_context(**options)
            context.set_default_timeout(PATIENCE_MS)
            return context

        browser.new_context = patient_context
        yield browser
        browser.close()


@pytest.fixture
def page(chromium):
    """A stranger's page; a fault in the page's own script fails the test."""
    # Without service workers, so that simulated failures reach the page.
    size = {"width": 1280, "height": 800}
    context = chromium.new_context(viewport=size, service_workers="block")
    page = context.new_page()
    faults = []
    page.on("pageerror", lambda fault: faults.append(str(fault)))
    # Playwright asks Chromium to hand over file choosers without waiting for the answer: asked for
    # only when a key is about to be pressed, the chooser of about one press in twenty is lost.
    page.on("filechooser", lambda _: None)
    yield page
    # Closing aborts current requests, which is not an error of the page.
    seen = list(faults)
    context.close()
    assert seen == []


def sign_in(page, server):
    """Sign in as a new researcher, with the link that the server printed; open the start page."""
    sign_in_unseen(page.context, server)
    page.goto(server.address + "/")


def sign_in_unseen(context, server):
    """Sign in without a page.

    The form is sent without its page being shown, which takes a second; the tests of accounts fill
    it in.
    """
    link = server.welcome()
    form_shown = context.request.get(link).text()
    token = re.search(r'name="csrf_token"[^>]* value="([^"]+)"', form_shown)[1]
    form = {"csrf_token": token, "name": "Ada", "password": PASSWORD}
    context.request.post(link, form=form, max_redirects=0)


def signed_in_cookies(chromium, server):
    """The cookies of a new researcher, for the pages of several tests."""
    context = chromium.new_context()
    sign_in_unseen(context, server)
    held = context.cookies()
    context.close()
    return held


@pytest.fixture
def researcher(page, served):
    """A page in which a researcher has signed in."""
    sign_in(page, served)
    return page


@pytest.fixture
def table(page, served, printed_table):
    """A printed set of twelve cards and a sitting T001, whose recording page is open."""
    sign_in_unseen(page.context, served)
    return lay_table(page, served, printed_table[1])
