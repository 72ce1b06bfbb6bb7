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


def _on_localhost(page, served):
    """Sign in where browsers make passkeys: for a name, not for a bare address."""
    base = served.address.replace("127.0.0.1", "localhost")
    page.goto(f"{base}/sign-in")
    page.get_by_label("Name").fill("Ada")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("heading", name="Studies")).to_be_visible()
    return base


def _add_authenticator(page):
    tools = page.context.new_cdp_session(page)
    tools.send("WebAuthn.enable")
    options = {"protocol": "ctap2", "transport": "internal", "hasResidentKey": True}
    options |= {"hasUserVerification": True, "isUserVerified": True}
    made = tools.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    return tools, made["authenticatorId"]


@pytest.mark.parametrize("width", [390, 1280])
def test_from_a_passkey_to_the_audit_list(researcher, served, width):
    page = researcher
    page.set_viewport_size({"width": width, "height": 800})
    base = _on_localhost(page, served)
    _add_authenticator(page)
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


def test_a_passkey_that_cannot_be_added_or_used_says_why_where_it_is_tried_again(
    researcher, served
):
    page = researcher
    base = _on_localhost(page, served)
    tools, device = _add_authenticator(page)
    page.goto(f"{base}/account/")
    password = page.get_by_label("Password, to add a passkey")
    refusal = page.locator("#passkeys .refusal")
    page.get_by_role("button", name="Add a passkey").click()
    # Without a password nothing is sent.
    expect(password).to_be_focused()
    expect(refusal).to_be_hidden()

    def refused(typed, sentence):
        password.fill(typed)
        password.press("Enter")
        expect(refusal).to_contain_text(sentence)
        expect(password).to_be_focused()
        expect(password).to_have_value(typed)
        check_page(page)

    refused("not this one", "not your current password")
    password.fill(PASSWORD)
    password.press("Enter")
    expect(page.get_by_text("Passkey 1 for localhost")).to_be_visible()
    refused(PASSWORD, "This device already has a passkey for your account.")
    page.on("dialog", lambda asked: asked.accept())
    page.get_by_role("button", name="Remove Passkey 1").click()
    expect(page.get_by_text("Passkey removed.")).to_be_visible()
    page.get_by_role("button", name="Sign out", exact=True).click()

    button = page.get_by_role("button", name="Sign in with a passkey")
    button.click()
    expect(refusal).to_contain_text("This passkey was not accepted")
    expect(button).to_be_focused()
    check_page(page)
    tools.send("WebAuthn.clearCredentials", {"authenticatorId": device})
    button.click()
    expect(refusal).to_contain_text("No passkey was used")
    page.route("**/sign-in/passkey/options", lambda route: route.abort())
    button.click()
    expect(refusal).to_contain_text("The server could not be reached")
    expect(button).to_be_focused()
