"""Two tables recorded at once, and a server that is killed while events are being sent."""

import time

import pytest
from playwright.sync_api import expect

from tests.browser.unprinted_table import (
    SCAN,
    WAITING,
    code_of,
    event_count,
    make_table,
    open_table,
    rows_of,
)
from tests.waiting import until

pytestmark = pytest.mark.browser

CARDS = 48
# Wait until a page shows so many cards, each in the group where the server has it; give the number
# of groups, or the differences after three minutes.
GROUPS_AGREED = """async (cards) => {
  const table = location.pathname.replace(/record$/, "table");
  for (let tries = 0;; tries += 1) {
    const { groups } = await (await fetch(table)).json();
    const held = groups.filter(({ cards }) => cards.length).map((g) => [g.number, g.cards]);
    const shown = [...document.querySelectorAll("#groups .group")].map((group) => [
      Number(group.querySelector(".badge").textContent),
      [...group.querySelectorAll("button[data-card]")].map(({ dataset }) => Number(dataset.card)),
    ]).filter(([, cards]) => cards.length);
    const [server, page] = [JSON.stringify(held), JSON.stringify(shown)];
    if (server === page && held.flatMap(([, cards]) => cards).length === cards) return held.length;
    if (tries === 1800) return `server ${server}, page ${page}`;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}"""
# After so many events the server is killed, so many seconds after the last of them was let through.
KILLS = ((2, 0.0), (5, 0.004), (9, 0.02))
BURST = CARDS // len(KILLS)


def saved(page, count):
    expect(page.locator("#count")).to_have_text(f"{count} of {CARDS}")
    expect(page.locator("#saved")).to_have_text("· saved")


def kill_during_events(page, served, after, pause):
    """Kill the server while one of the page's next events is on its way and others wait.

    The list that is returned has an item once it is killed.
    """
    passed, killed = [], []

    def let_through(route):
        passed.append(route)
        route.continue_()
        if len(passed) == after:
            time.sleep(pause)
            served.kill()
            killed.append(after)

    page.route("**/acts", let_through)
    return killed


def test_saved_scores_survive_a_server_killed_at_any_moment(researcher, served, tmp_path):
    page = researcher
    set_number = make_table(served, tmp_path, CARDS)
    open_table(page, served, "T001", CARDS)
    deck = page.evaluate("JSON.parse(document.getElementById('deck').textContent).cards")
    card_of = {card["id"]: card["card"] for card in deck}
    for kill, (after, pause) in enumerate(KILLS):
        scanned = range(kill * BURST + 1, (kill + 1) * BURST + 1)
        killed = kill_during_events(page, served, after, pause)
        page.evaluate(SCAN, [code_of(set_number, card) for card in scanned])
        while not killed:
            page.wait_for_timeout(50)
        expect(page.locator("#saved")).to_contain_text("waiting (no connection)")
        waiting = {card_of[stimulus] for stimulus in page.evaluate(WAITING)}
        # On a busy machine, an event may be sent a second time before the server is killed.
        assert BURST - after <= len(waiting) <= BURST
        kept = {card for card, _group in rows_of(served, "T001")}
        assert set(range(1, scanned.stop)) - waiting <= kept
        page.unroute("**/acts")
        served.start()
        saved(page, scanned.stop - 1)
    assert sorted(rows_of(served, "T001")) == [(card, 1) for card in range(1, CARDS + 1)]
    assert event_count(served, "T001") == CARDS


def test_two_tabs_of_one_table_show_the_servers_state(researcher, served, tmp_path):
    set_number = make_table(served, tmp_path, 12)
    tabs = [researcher, researcher.context.new_page()]
    for tab in tabs:
        open_table(tab, served, "T001", 12)

    def scan(tab, *cards):
        tab.evaluate(SCAN, [code_of(set_number, card) for card in cards])

    def agree(cards, groups):
        for tab in tabs:
            assert tab.evaluate(GROUPS_AGREED, cards) == groups
            expect(tab.locator("#saved")).to_have_text("· saved")

    scan(tabs[0], 1, 2)
    scan(tabs[1], 3, 4)
    agree(4, 2)
    # A group that is undone frees its number for the group of the other tab.
    tabs[0].keyboard.press("n")
    scan(tabs[0], 5)
    agree(5, 3)
    tabs[0].keyboard.press("z")
    agree(4, 2)
    tabs[1].keyboard.press("n")
    for at in range(6, 12, 2):
        scan(tabs[0], at)
        scan(tabs[1], at + 1)
    agree(10, 4)
    # An answer that is lost on its way: the page asks for the table.
    tabs[0].route("**/acts", lambda route: (route.fetch(), route.abort()))
    scan(tabs[0], 12)
    expect(tabs[0].locator("#saved")).to_contain_text("waiting (no connection)")
    tabs[0].unroute_all(behavior="wait")
    scan(tabs[1], 5)
    agree(12, 4)
    assert event_count(served, "T001") == 14


def test_undo_is_sent_if_another_tab_has_sent_the_event(researcher, served, tmp_path):
    set_number = make_table(served, tmp_path, 6)
    tabs = [researcher, researcher.context.new_page()]
    for tab in tabs:
        open_table(tab, served, "T001", 6)
    tabs[0].route("**/acts", lambda route: route.abort())
    tabs[0].evaluate(SCAN, [code_of(set_number, card) for card in (1, 2, 3)])
    expect(tabs[0].locator("#saved")).to_have_text("· 3 waiting (no connection)")
    tabs[1].evaluate(SCAN, [code_of(set_number, 4)])
    until(lambda: len(rows_of(served, "T001")) == 4)
    expect(tabs[0].locator("#count")).to_have_text("4 of 6")
    tabs[0].keyboard.press("z")
    tabs[0].unroute("**/acts")
    for tab in tabs:
        expect(tab.locator("#count")).to_have_text("3 of 6")
        expect(tab.locator("#saved")).to_have_text("· saved")
    assert (3, None) in rows_of(served, "T001")


def test_two_tables_with_their_own_decks_are_recorded_at_once(
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
            # deck B is sorted differently, from the last card to the first
            mine = cards if deck == 1 else [CARDS + 1 - card for card in cards]
            tablet.evaluate(SCAN, [code_of(set_number, card, deck) for card in mine])
            tablet.keyboard.press("n")
    for tablet in tablets:
        saved(tablet, CARDS)
    in_order = list(range(1, CARDS + 1))
    assert rows_of(served, "T001") == [(card, 1 + (card > half)) for card in in_order]
    assert rows_of(served, "T002") == [(card, 1 + (card <= half)) for card in in_order[::-1]]
    # a card of the other table is reported and not recorded
    tablets[0].evaluate(SCAN, [code_of(set_number, 5, deck=2)])
    messages = tablets[0].locator("#messages .refusal")
    expect(messages).to_contain_text("Card 5 is of deck B; this sitting is for deck A.")
    expect(messages.locator("img")).to_have_attribute("src", "/studies/1/sketches/thumbnails/5")
    assert len(rows_of(served, "T001")) == CARDS
    for tablet in tablets:
        tablet.context.close()
