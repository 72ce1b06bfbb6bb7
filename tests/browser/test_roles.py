"""An editor and a viewer, invited by link: what each may do and may not, at two widths."""

import re

import pytest
from playwright.sync_api import expect

from study_app import create_app
from study_app.core.config import Settings
from study_app.core.database import opened, writing
from study_app.studies import studies
from tests.browser.conftest import PASSWORD
from tests.browser.page_checks import accessible, fits
from tests.study_app.judged import make_set, sort_set

pytestmark = pytest.mark.browser
WIDTHS = (390, 1280)
PAGES = ("", "/sketches/", "/sittings/T001", "/people/P01", "/people/exclusions", "/members/")


@pytest.fixture
def base(served):
    """The address of a study, named as the demo is, with a set that two people sorted."""
    with opened(create_app(Settings.of(served.instance))), writing() as session:
        study = studies.make(session, studies.DEMO, simulated=True)
        chairs = make_set(session, study.id, "chairs", "abcd")
        sort_set(session, chairs, [[0, 0, 1, 1], [0, 0, 0, 1]])
    return f"{served.address}/studies/1"


@pytest.fixture
def join(chromium):
    """Invite somebody on the owner's page; gives their page. Closed at the end."""
    contexts = []

    def joined(owner, base, role, name):
        owner.goto(f"{base}/members/")
        invite = owner.get_by_role("region", name="Invite a colleague")
        invite.get_by_role("combobox").select_option(role)
        owner.get_by_role("button", name="Create invitation link").click()
        contexts.append(chromium.new_context())
        page = contexts[-1].new_page()
        page.goto(owner.locator("code.copyable").inner_text().strip())
        page.get_by_label("Name").fill(name)
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Create account").click()
        expect(page.get_by_role("link", name=re.compile("Demo"))).to_be_visible()
        return page

    yield joined
    for context in contexts:
        context.close()


def see_pages(page, base):
    """Every page is shown, fits and is accessible; the buttons of their forms in `main`."""
    buttons = set()
    for path in PAGES:
        assert page.goto(base + path).status == 200
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 844})
            fits(page)
        accessible(page)
        buttons |= set(page.locator("main form[method=post] button").all_inner_texts())
    return buttons


def test_an_editor_and_a_viewer_until_the_study_is_handed_over(researcher, base, join):
    owner = researcher
    viewer = join(owner, base, "viewer", "Vera")
    assert see_pages(viewer, base) == {"Leave this study"}
    viewer.goto(f"{base}/export/")
    viewer.get_by_role("button", name=re.compile("^Export")).click()
    expect(viewer.get_by_role("link", name="Download ZIP")).to_be_visible()

    editor = join(owner, base, "editor", "Edda")
    buttons = see_pages(editor, base)
    assert "Set rule" in buttons and not any("Remove" in one for one in buttons)
    editor.goto(f"{base}/people/exclusions")
    # Made a viewer while a form is open.
    owner.goto(f"{base}/members/")
    owner.get_by_label("Role of Edda").select_option("viewer")
    row = owner.locator("li").filter(has_text="Edda")
    row.get_by_role("button", name="Save role").click()
    expect(owner.get_by_text("Role saved.")).to_be_visible()
    editor.get_by_label("Number").fill("90")
    editor.get_by_role("button", name="Set rule").click()
    expect(editor.get_by_role("alert")).to_contain_text("a viewer cannot do this")
    editor.reload()
    expect(editor.get_by_role("button", name="Set rule")).to_have_count(0)

    owner.once("dialog", lambda dialog: dialog.accept())
    owner.get_by_role("button", name="Hand over to Vera").click()
    expect(owner.get_by_text("You are now an editor.")).to_be_visible()
    viewer.goto(f"{base}/members/")
    viewer.once("dialog", lambda dialog: dialog.accept())
    viewer.get_by_role("button", name="Remove Edda").click()
    expect(viewer.get_by_text("Removed from the study.")).to_be_visible()
    assert editor.goto(f"{base}/gold/").status == 404
    expect(editor.get_by_text("you are not a member of it")).to_be_visible()
    viewer.goto(f"{base}/audit/")
    for entry in ("viewer → owner", "owner → editor", "editor → viewer", "viewer → –"):
        expect(viewer.get_by_text(entry)).to_be_visible()
