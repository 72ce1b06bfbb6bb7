"""Signing in with a passkey, a role, and the audit list, on a phone and on a laptop."""

import re
from datetime import datetime

import pyotp
import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PASSWORD
from tests.browser.page_checks import accessible, fits

pytestmark = pytest.mark.browser


def check_page(page):
    fits(page)
    accessible(page)


@pytest.mark.parametrize("width", [390, 1280])
def test_from_a_passkey_to_the_audit_list(researcher, served, width):
    page = researcher
    page.set_viewport_size({"width": width, "height": 800})
    # Browsers make no passkey for a bare address.
    base = served.address.replace("127.0.0.1", "localhost")
    page.goto(f"{base}/sign-in")
    page.get_by_label("Name").fill("Ada")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    tools = page.context.new_cdp_session(page)
    tools.send("WebAuthn.enable")
    options = {"protocol": "ctap2", "transport": "internal", "hasResidentKey": True}
    options |= {"hasUserVerification": True, "isUserVerified": True}
    tools.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    page.goto(f"{base}/account/")
    page.get_by_label("Password, to add a passkey").fill(PASSWORD)
    page.get_by_role("button", name="Add a passkey").click()
    expect(page.get_by_text("Passkey 1 for localhost")).to_be_visible()
    check_page(page)
    page.get_by_role("button", name="Sign out", exact=True).click()
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_role("heading", name="Studies")).to_be_visible()

    page.get_by_label("Name").fill("Chairs")
    page.get_by_role("button", name="Create study").click()
    page.get_by_role("link", name="Members").click()
    check_page(page)
    invite = page.get_by_role("region", name="Invite a colleague")
    invite.get_by_role("combobox").select_option("conductor")
    page.get_by_role("button", name="Create invitation link").click()
    link = page.locator("code.copyable").inner_text()
    colleague = page.context.browser.new_context(viewport={"width": width, "height": 800})
    other = colleague.new_page()
    other.goto(link.strip())
    other.get_by_label("Name").fill("Grace")
    other.get_by_label("Password").fill(PASSWORD)
    other.get_by_role("button", name="Sign in", exact=True).click()
    expect(other.get_by_role("heading", name="Chairs")).to_be_visible()
    steps = other.get_by_role("navigation", name="Steps of this study")
    expect(steps.get_by_role("link")).to_have_count(3)
    expect(other.get_by_role("link", name="Record sittings")).to_be_visible()
    check_page(other)
    colleague.close()

    page.reload()
    page.get_by_role("link", name="Members").click()
    page.get_by_role("link", name="Audit list").click()
    expect(page.get_by_role("cell", name="created member").first).to_be_visible()
    check_page(page)


def test_a_wrong_code_is_corrected_in_its_field(researcher, served):
    page = researcher
    page.goto(f"{served.address}/account/codes")
    code = page.get_by_label("Code from the app")
    secret = pyotp.TOTP(page.locator("code.copyable").inner_text())
    moment = datetime.now()
    code.fill("12345x")
    page.get_by_label("Current password").fill(PASSWORD)
    page.get_by_role("button", name="Turn on").click()
    _refused(page, code, "12345x")
    code.fill(secret.at(moment))
    page.get_by_label("Current password").fill(PASSWORD)
    page.get_by_role("button", name="Turn on").click()
    page.get_by_role("link", name="I saved them").click()
    page.get_by_role("button", name="Sign out", exact=True).click()

    page.goto(f"{served.address}/sign-in?next=/account/")
    page.get_by_label("Name").fill("Ada")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    code = page.get_by_label("Code from your app")
    code.fill("12345x")
    code.press("Enter")
    _refused(page, code, "12345x")
    code.fill(secret.at(moment, counter_offset=1))
    code.press("Enter")
    expect(page.get_by_role("heading", name="Your account")).to_be_visible()


def _refused(page, field, typed):
    """The field has the focus, what was typed, and the reason as its description."""
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_have_accessible_description(re.compile("This code is wrong"))
    expect(field).to_be_focused()
    expect(field).to_have_value(typed)
    check_page(page)
