"""The recording page in a real browser, with printed cards, for its tests."""

import time

from playwright.sync_api import expect

from study_app import create_app
from study_app.core.config import Settings
from study_app.core.database import close, writing
from study_app.sittings import sittings
from study_app.studies import studies
from tests.printed_table import plan_sitting, print_set

CARDS = 12
HIGH, LOW = 1320, 220
# Of a hand scanner.
BETWEEN_KEYS_S, FALTERS_S = 0.01, 0.15
# Writes down the pitch of every tone that the page starts, and still plays it.
LISTEN = """
window.tones = [];
const { start } = OscillatorNode.prototype;
OscillatorNode.prototype.start = function (...when) {
  window.tones.push(this.frequency.value);
  return start.apply(this, when);
};
"""
GROUPS = [[1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]


def print_table(instance, folder):
    """Print twelve cards with header cards and plan sitting T001 in a fresh installation."""
    app = create_app(Settings.of(instance))
    with app.app_context(), writing() as session:
        study_id = studies.make(session, "Shapes").id
    printed = print_set(app, study_id, folder, CARDS, headers=9)
    plan_sitting(app, study_id, printed.set_id)
    close(app)
    return printed


def lay_table(page, served, printed):
    """Begin to record sitting T001 and open its page."""
    app = create_app(Settings.of(served.instance))
    with app.app_context(), writing() as session:
        sitting = sittings.find(session, 1, "T001")
        sittings.start(session, sitting)
        sittings.begin_recording(session, sitting)
    close(app)
    table = OnTable(page, served, printed)
    page.goto(table.address)
    expect(page.locator("#count")).to_have_text(f"0 of {CARDS}")
    return table


class OnTable:
    """The recording page of a sitting, and the cards beside it."""

    def __init__(self, page, served, printed):
        self.page, self.served, self.printed = page, served, printed

    @property
    def address(self):
        return f"{self.served.address}/studies/1/sittings/T001/record"

    def photo(self, groups, path, seed=1):
        path.write_bytes(self.printed.photo(groups, seed))
        return path

    def expect_in_group(self, card, group):
        """Wait until a card is shown in the group of that number."""
        group_shown = self.page.locator(f".group:has(button[aria-label^='Card {card},'])")
        expect(group_shown.locator(".badge")).to_have_text(str(group))

    def expect_unplaced(self, card):
        expect(self.page.locator(f"#missing button[aria-label^='Card {card},']")).to_have_count(1)

    def saved(self, cards):
        expect(self.page.locator("#count")).to_have_text(f"{cards} of {CARDS}")
        expect(self.page.locator("#saved")).to_have_text("· saved")

    def type(self, text):
        self.page.keyboard.type(text)
        self.page.keyboard.press("Enter")

    def scan(self, *parts):
        """Type as a hand scanner that falters between the parts, however busy this machine is.

        Each key event has its time.
        """
        tools = self.page.context.new_cdp_session(self.page)
        at = time.time()
        for text in parts:
            for digit in text:
                key = {"key": digit, "code": f"Digit{digit}", "text": digit, "timestamp": at}
                tools.send("Input.dispatchKeyEvent", {"type": "keyDown", **key})
                tools.send("Input.dispatchKeyEvent", {**key, "type": "keyUp", "text": ""})
                at += BETWEEN_KEYS_S
            at += FALTERS_S
        self.page.keyboard.press("Enter")
        tools.detach()
