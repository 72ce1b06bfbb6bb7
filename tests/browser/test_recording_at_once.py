"""Two tables recorded at once, and a server that is killed while acts are under way."""

import time

import pytest
from playwright.sync_api import expect

from tests.browser.unprinted_table import (
    SCAN,
    WAITING,
    acts_of,
    code_of,
    make_table,
    open_table,
    rows_of,
)

pytestmark = pytest.mark.browser

CARDS = 48
# After so many acts the server is killed, so many seconds after the last of them was let through.
KILLS = ((2, 0.0), (5, 0.004), (9, 0.02))
BURST = CARDS // len(KILLS)


def saved(page, count):
    expect(page.locator("#count")).to_have_text(f"{count} of {CARDS}")
    expect(page.locator("#saved")).to_have_text("· saved")


def kill_amid_acts(page, served, after, pause):
    """Kill the server while one of the page's next acts is on its way and others wait."""
    passed = []

    def let_through(route):
        passed.append(route)
        route.continue_()
        if len(passed) == after:
            time.sleep(pause)
            served.kill()

    page.route("**/acts", let_through)


def test_what_a_page_held_to_be_saved_outlives_a_server_killed_at_any_moment(
    researcher, served, tmp_path
):
    page = researcher
    set_number = make_table(served, tmp_path, CARDS)
    open_table(page, served, "T001", CARDS)
    deck = page.evaluate("JSON.parse(document.getElementById('deck').textContent).cards")
    card_of = {card["id"]: card["card"] for card in deck}
    for kill, (after, pause) in enumerate(KILLS):
        scanned = range(kill * BURST + 1, (kill + 1) * BURST + 1)
        kill_amid_acts(page, served, after, pause)
        page.evaluate(SCAN, [code_of(set_number, card) for card in scanned])
        expect(page.locator("#saved")).to_contain_text("waiting (no connection)")
        waiting = {card_of[stimulus] for stimulus in page.evaluate(WAITING)}
        assert BURST - after <= len(waiting) <= BURST - after + 1
        kept = {card for card, _group in rows_of(served, "T001")}
        assert set(range(1, scanned.stop)) - waiting <= kept
        page.unroute("**/acts")
        served.start()
        saved(page, scanned.stop - 1)
    assert sorted(rows_of(served, "T001")) == [(card, 1) for card in range(1, CARDS + 1)]
    assert acts_of(served, "T001") == CARDS


def test_two_tables_are_recorded_at_once_each_with_its_own_deck(
    chromium, researcher, served, tmp_path
):
    set_number = make_table(served, tmp_path, CARDS, decks=(1, 2))
    state = researcher.context.storage_state()
    tablets = [chromium.new_context(storage_state=state).new_page() for _ in range(2)]
    for deck, tablet in enumerate(tablets, 1):
        open_table(tablet, served, f"T00{deck}", CARDS)
    half = CARDS // 2
    for group in range(2):
        cards = range(group * half + 1, (group + 1) * half + 1)
        for deck, tablet in enumerate(tablets, 1):
            # deck B is sorted otherwise: its cards come from the other end
            mine = cards if deck == 1 else [CARDS + 1 - card for card in cards]
            tablet.evaluate(SCAN, [code_of(set_number, card, deck) for card in mine])
            tablet.keyboard.press("n")
    for tablet in tablets:
        saved(tablet, CARDS)
    in_order = list(range(1, CARDS + 1))
    assert rows_of(served, "T001") == [(card, 1 + (card > half)) for card in in_order]
    assert rows_of(served, "T002") == [(card, 1 + (card <= half)) for card in in_order[::-1]]
    # a card that strayed from the other table is said so, and goes nowhere
    tablets[0].evaluate(SCAN, [code_of(set_number, 5, deck=2)])
    told = tablets[0].locator("#told .refusal")
    expect(told).to_contain_text("Card 5 is of deck B; this sitting is for deck A.")
    expect(told.locator("img")).to_have_attribute("src", "/studies/1/sketches/thumbnails/5")
    assert len(rows_of(served, "T001")) == CARDS
    for tablet in tablets:
        tablet.context.close()
