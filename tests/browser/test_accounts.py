"""Signing in with a passkey, a role, and the audit list, on a phone and on a laptop."""

import re
from datetime import datetime
from io import BytesIO

import pyotp
import pytest
import zxingcpp
from PIL import Image
from playwright.sync_api import expect

from study_app import create_app
from study_app.core.config import Settings
from study_app.core.database import close, opened, writing
from study_app.models import Passkey, Researcher, StudyMember
from study_app.studies import studies
from study_app.web.security.security import CONFIRMED
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


def _add_passkey(page, base):
    tools, device = _add_authenticator(page)
    page.goto(f"{base}/account/")
    page.get_by_label("Password, to add a passkey").fill(PASSWORD)
    page.get_by_role("button", name="Add a passkey").click()
    expect(page.get_by_text("Passkey 1 for localhost")).to_be_visible()
    return tools, device


@pytest.mark.parametrize("width", [390, 1280])
def test_from_a_passkey_to_the_audit_list(researcher, served, width):
    page = researcher
    page.set_viewport_size({"width": width, "height": 800})
    base = _on_localhost(page, served)
    _add_passkey(page, base)
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
    other.get_by_role("button", name="Create account").click()
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


def test_the_pages_of_a_study_fit_with_the_longest_names(researcher, served):
    with opened(create_app(Settings.of(served.instance))), writing() as session:
        studies.make(session, "Chairs")
        session.query(Researcher).one().name = "Grace of " + "Brno " * 14
        for name in ("W" * 80, "Ada of " + "Wien " * 14):
            made = Researcher(name=name, password_hash="", cookie_key=name)
            session.add(made)
            session.flush()
            session.add(StudyMember(study_id=1, researcher_id=made.id, role="owner"))
    for width in (390, 1280):
        researcher.set_viewport_size({"width": width, "height": 800})
        for place in ("members/", "audit/"):
            researcher.goto(f"{served.address}/studies/1/{place}")
            check_page(researcher)
            top = (researcher.locator(f".top {one}").bounding_box() for one in (".brand", "button"))
            assert len({box["y"] for box in top}) == 1


def test_a_wrong_code_is_corrected_in_its_field(researcher, served):
    page = researcher
    page.goto(f"{served.address}/account/codes")
    code = page.get_by_label("Code from the app")
    page.emulate_media(color_scheme="dark")
    drawn = Image.open(BytesIO(page.get_by_alt_text(re.compile("QR code")).screenshot()))
    secret = pyotp.parse_uri(zxingcpp.read_barcode(drawn).text)
    assert secret.secret == page.locator("code.copyable").inner_text()
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


def _refused(page, field, typed, reason="This code is wrong"):
    """The field has the focus, what was typed, and the reason as its description."""
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_have_accessible_description(re.compile(reason))
    expect(field).to_be_focused()
    expect(field).to_have_value(typed)
    check_page(page)


def test_a_refused_name_or_password_is_corrected_in_its_field(researcher, served):
    page = researcher
    page.goto(f"{served.address}/account/")
    password = page.get_by_role("region", name="Change your password")
    current, new = (password.get_by_label(f"{which} password") for which in ("Current", "New"))
    current.fill("not this one")
    new.fill("another long one")
    new.press("Enter")
    _refused(page, current, "", "not your current password")
    # The browser counts the letter as two, the server as one.
    current.fill(PASSWORD)
    new.fill("𝐚" * 9)
    new.press("Enter")
    _refused(page, new, "", "at least 10 characters")
    page.goto(page.url)
    expect(page.get_by_role("heading", name="Your account")).to_be_visible()

    page.get_by_role("link", name="sketch-study").click()
    page.get_by_text("Invite a colleague").click()
    page.get_by_role("button", name="Create link").click()
    link = page.locator("code.copyable").inner_text()
    page.get_by_role("button", name="Sign out", exact=True).click()
    page.goto(link.strip())
    name, password = page.get_by_label("Name"), page.get_by_label("Password")
    name.fill("Ada")
    password.fill(PASSWORD)
    password.press("Enter")
    _refused(page, name, "Ada", "is taken")
    name.fill("Grace")
    password.fill("𝐚" * 9)
    password.press("Enter")
    _refused(page, password, "", "at least 10 characters")
    expect(name).to_have_value("Grace")
    password.fill(PASSWORD)
    password.press("Enter")
    expect(page.get_by_role("link", name="Account: Grace")).to_be_visible()


def test_an_invitation_is_confirmed_with_a_passkey_or_the_password(researcher, served):
    page = researcher
    base = _on_localhost(page, served)
    _add_passkey(page, base)
    page.get_by_role("link", name="sketch-study").click()
    page.get_by_label("Name").fill("Chairs")
    page.get_by_role("button", name="Create study").click()
    page.get_by_role("link", name="Members").click()
    _forget_confirmation(page, served)
    page.get_by_role("button", name="Create invitation link").click()
    password = page.get_by_label("Current password")
    expect(page.get_by_role("heading", name="Confirm that it's you")).to_be_visible()
    check_page(page)
    password.fill("not this one")
    password.press("Enter")
    _refused(page, password, "", "not your current password")
    page.get_by_role("button", name="Use a passkey instead").click()
    expect(page.get_by_role("heading", name="Invitation link (editor)")).to_be_visible()
    check_page(page)
    _forget_confirmation(page, served)
    page.get_by_role("combobox", name="Role", exact=True).select_option("viewer")
    page.get_by_role("button", name="Create invitation link").click()
    password.fill(PASSWORD)
    password.press("Enter")
    expect(page.get_by_role("heading", name="Invitation link (viewer)")).to_be_visible()
    # Not asked again.
    page.get_by_role("button", name="Create invitation link").click()
    expect(page.get_by_role("heading", name="Invitation link (editor)")).to_be_visible()


def _forget_confirmation(page, served):
    """As if the password had been entered long ago: sign the cookie again without the time."""
    app = create_app(Settings.of(served.instance))
    for cookie in page.context.cookies():
        if cookie["name"] == app.config["SESSION_COOKIE_NAME"]:
            signer = app.session_interface.get_signing_serializer(app)
            content = signer.loads(cookie["value"])
            content.pop(CONFIRMED, None)
            page.context.add_cookies([cookie | {"value": signer.dumps(content)}])
    close(app)


def test_a_passkey_that_cannot_be_added_or_used_says_why_where_it_is_tried_again(
    researcher, served
):
    page = researcher
    base = _on_localhost(page, served)
    _add_authenticator(page)
    page.goto(f"{base}/account/")
    password = page.get_by_label(re.compile("Password, to add"))
    refusal = page.locator("#passkeys .refusal")
    page.get_by_role("button", name="Add a passkey").click()
    expect(password).to_be_focused()
    expect(refusal).to_be_hidden()

    def refused(typed, sentence):
        password.fill(typed)
        # Enter presses the button, which waits for the page's script.
        expect(page.get_by_role("button", name="Add a passkey")).to_be_enabled()
        password.press("Enter")
        expect(refusal).to_contain_text(sentence)
        expect(password).to_be_focused()
        expect(password).to_have_value(typed)
        check_page(page)

    refused("not this one", "not your current password")
    password.fill(PASSWORD)
    password.press("Enter")
    expect(page.get_by_text("Passkey 1 for localhost")).to_be_visible()
    expect(page.get_by_text("Passkey added.")).to_be_visible()
    refused(PASSWORD, "This device already has a passkey for your account.")
    expect(page.get_by_text("Passkey added.")).to_be_hidden()
    page.on("dialog", lambda asked: asked.accept())
    remove = page.get_by_role("button", name="Remove Passkey 1")
    password.fill("not this one")
    remove.click()
    _refused(page, password, "", "not your current password")
    refused("not this one either", "not your current password")
    password.fill(PASSWORD)
    remove.click()
    expect(page.get_by_text(re.compile("Passkey removed."))).to_be_visible()


def test_a_passkey_that_cannot_sign_in_says_why_where_it_is_tried_again(researcher, served):
    page = researcher
    base = _on_localhost(page, served)
    tools, device = _add_passkey(page, base)
    with opened(create_app(Settings.of(served.instance))), writing() as session:
        session.delete(session.query(Passkey).one())
    refusal = page.locator("#passkeys .refusal")
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
