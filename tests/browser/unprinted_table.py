"""Tables whose cards were never printed: enough for tests that scan many, and quick to make."""

import sqlite3
from contextlib import closing

from playwright.sync_api import expect

from printables.cards.codes import CardCode, encode
from study_app import create_app
from study_app.core.config import Settings
from study_app.core.database import opened, writing
from study_app.stimuli import stimuli
from study_app.stimuli.importing.run import ImportChoice, import_paths
from study_app.studies import studies
from tests.study_app.stimuli.importing.pictures_made import png
from tests.table_fixtures import make_deck, make_sitting

# Types every code with its Enter as a hand scanner does, faster than any server answers.
SCAN = """(codes) => {
  const press = (key, code) => document.body.dispatchEvent(
    new KeyboardEvent("keydown", { key, code, bubbles: true }));
  for (const code of codes) {
    for (const digit of code) press(digit, `Digit${digit}`);
    press("Enter", "Enter");
  }
}"""
# The events that the page has not saved yet.
WAITING = """() => Object.keys(localStorage).filter((name) => name.startsWith("sketch-study:"))
  .map((name) => JSON.parse(localStorage.getItem(name)).body.placements[0].cards[0])"""


def make_table(served, folder, cards, decks=(1,)):
    """A set, and for every deck a sitting that is being recorded; the number of the set."""
    settings = Settings.of(served.instance)
    (folder / "shapes").mkdir()
    for card in range(1, cards + 1):
        (folder / "shapes" / f"{card:03d}.png").write_bytes(png(card))
    with opened(create_app(settings)):
        with writing() as session:
            study_id = studies.make(session, "Shapes").id
        import_paths(settings, ImportChoice(study_id, "shapes"), [folder / "shapes"])
        with writing() as session:
            made = stimuli.set_named(session, study_id, "shapes")
            for at, deck in enumerate(decks, 1):
                make_deck(session, made, deck)
                make_sitting(session, studies.get(session, study_id), made, f"P{at:02d}", deck)
            number = made.number
    return number


def code_of(set_number, card, deck=1):
    """The code on a card of such a set."""
    return encode(CardCode(set_number, card, deck, 1))


def open_table(page, served, sitting, cards):
    """The recording page of a sitting without cards."""
    page.goto(f"{served.address}/studies/1/sittings/{sitting}/record")
    expect(page.locator("#count")).to_have_text(f"0 of {cards}")


def event_count(served, sitting):
    """The number of events of a sitting in the database."""
    with closing(sqlite3.connect(served.instance / "study.sqlite3")) as connection:
        query = "select count(*) from act join sitting on sitting.id = sitting_id where number = ?"
        return connection.execute(query, [int(sitting[1:])]).fetchone()[0]


def rows_of(served, sitting):
    """The rows of a sitting in the database: card number and group number."""
    query = """
        select stimulus.card, sitting_group.number from scan
        join act on act.id = scan.act_id join sitting on sitting.id = act.sitting_id
        join stimulus on stimulus.id = scan.stimulus_id
        left join sitting_group on sitting_group.id = scan.group_id
        where sitting.number = ? order by scan.id"""
    with closing(sqlite3.connect(served.instance / "study.sqlite3")) as connection:
        return connection.execute(query, [int(sitting[1:])]).fetchall()
