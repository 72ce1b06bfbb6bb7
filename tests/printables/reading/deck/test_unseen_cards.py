"""Cards of which photos of the whole table show nothing, since others lie on them."""

from dataclasses import replace

import numpy as np
import pytest

from printables.cards.codes import CardCode, encode, header_code
from printables.reading.deck.known_deck import KnownDeck
from printables.reading.deck.unseen_cards import Frame, cards_placed, unseen_cards
from printables.reading.findings import Code, Finding
from printables.reading.reader import read_photo
from printables.reading.together.joining import join_photos
from printables.reading.together.settling import settle
from printables.tabletop.grouping import TablePlan
from tests.bench import tables
from tests.bench.clutter import cup_beside, cup_over
from tests.bench.conditions import ORDINARY, PLAIN
from tests.bench.scenes import print_cards
from tests.bench.tables import pictured, pictured_twice, pictured_with

CARD = np.array([[0, 0], [60, 0], [60, 40], [0, 40]], float)
DECK = 10


def frame(cards, left=20.0, unread=(), right=20.0, hidden=()):
    """A photo of a row of cards, with some of the table on both sides, one pixel per millimetre."""
    outlines = np.array([CARD + np.array([70.0 * n, 20]) for n in cards])
    low, high = outlines[..., 0].min() - left, outlines[..., 0].max() + right
    shift = np.array([[1, 0, low], [0, 1, 0], [0, 0, 1]])
    codes = [encode(CardCode(1, n + 1, 1, 1)) for n in cards]
    others = [
        np.array([CARD + np.array([70.0 * n - low, 20]) for n in places]).reshape(-1, 4, 2)
        for places in (unread, hidden)
    ]
    return Frame(codes, TablePlan(shift, outlines), *others, round(high - low), 80)


def counted(frames, *findings, placed=DECK):
    expected = Finding(Code.CARDS_PLACED, {"placed": 1, "expected": placed})
    return [f.facts["count"] for f in unseen_cards(frames, [expected, *findings])]


def test_missing_cards_are_nowhere_if_the_whole_table_is_in_the_photo():
    assert counted([frame(range(8))]) == [2]
    assert counted([frame(range(10))]) == []
    assert counted([frame([*range(6), 7, 8], unread=[6])]) == [1]


def test_without_a_deck_nothing_is_missing():
    assert unseen_cards([frame(range(8))], []) == []


def test_header_cards_do_not_count():
    header = replace(frame([8]), codes=[encode(header_code(1))])
    assert counted([frame(range(8)), header]) == [2]


@pytest.mark.parametrize("side", ["left", "right"])
def test_a_photo_may_show_a_part_of_the_table_if_a_card_is_at_its_edge(side):
    assert counted([frame(range(8), **{side: 10.0})]) == []


def test_a_photo_shows_a_part_of_the_table_if_an_unread_card_extends_beyond_it():
    assert counted([frame(range(8), unread=[8])]) == []


def test_a_photo_of_few_cards_says_nothing_about_the_others():
    assert counted([frame(range(7))]) == []


def test_missing_cards_may_be_other_paper():
    paper = Finding(Code.PAPER_UNEXPLAINED, {"count": 2, "places": []})
    assert counted([frame(range(8))], paper) == []


def test_things_may_hide_some_cards_but_not_many():
    hidden = Finding(Code.CARDS_HIDDEN, {"groups": [1]})
    assert counted([frame(range(36), hidden=[9])], hidden, placed=38) == []
    assert counted([frame(range(36), hidden=[9])], hidden, placed=39) == [3]
    assert counted([frame(range(36), hidden=[9, 12])], hidden, placed=39) == []


def test_photos_show_the_whole_table_together():
    first, second = frame(range(5), right=2.0), frame(range(3, 9), left=2.0)
    assert counted([first]) == counted([second]) == []
    assert counted([first, second]) == [1]
    assert counted([first, frame(range(4, 9), left=2.0)]) == []


@pytest.fixture
def smaller_photos(monkeypatch):
    monkeypatch.setattr(tables, "MEGAPIXELS", 5)


def unseen(findings):
    return [finding.facts["count"] for finding in findings if finding.code == Code.CARDS_UNSEEN]


def without_covered(scene, deck):
    """The deck of the cards on the table."""
    return replace(deck, codes=tuple(scene.corners))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("conditions", "seed"),
    [(PLAIN, 500201), (PLAIN, 500202), (ORDINARY, 500301), (ORDINARY, 500304)],
)
@pytest.mark.usefixtures("smaller_photos")
def test_neat_piles_are_said(conditions, seed):
    printed = print_cards(50)
    scene = pictured(printed, 48, replace(conditions, piled=0.5), seed)
    reading = read_photo(scene.jpeg, without_covered(scene, printed.deck))
    assert unseen(reading.findings) == [48 - len(reading.symbols) - len(reading.unread)]
    assert "on top of each other" in " ".join(reading.advice)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("piled", "cup", "seed", "said"),
    [(0.45, cup_beside, 700037, [5]), (0.0, cup_over, 700053, [])],
)
@pytest.mark.usefixtures("smaller_photos")
def test_a_pile_beside_a_cup_is_said_and_a_card_below_it_is_not(piled, cup, seed, said):
    printed = print_cards(50)
    scene = pictured_with(printed, 48, cup, replace(PLAIN, piled=piled), seed)
    reading = read_photo(scene.jpeg, without_covered(scene, printed.deck))
    assert len(reading.symbols) < 48
    assert Code.CARDS_HIDDEN in {finding.code for finding in reading.findings}
    assert unseen(reading.findings) == said


@pytest.mark.slow
@pytest.mark.usefixtures("smaller_photos")
def test_neat_piles_are_said_of_joined_photos_of_the_whole_table():
    printed = print_cards(50)
    scenes = pictured_twice(printed, 48, replace(PLAIN, piled=0.6), 501001)
    deck = without_covered(scenes[0], printed.deck)
    readings = settle([read_photo(scene.jpeg, deck) for scene in scenes])
    missing = 48 - len({symbol.code for reading in readings for symbol in reading.symbols})
    assert unseen([finding for reading in readings for finding in reading.findings]) == []
    joined = join_photos(readings)
    assert unseen(joined.findings) == [missing - len(joined.unread)]


def test_the_cards_of_a_deck_are_counted_once():
    deck = print_cards(40).deck
    read = deck.codes[:3]
    (found,) = cards_placed([*read, read[0]], deck)
    assert found.facts == {"placed": 3, "expected": 40}
    assert cards_placed(read, None) == []


def test_only_the_decks_on_the_table_are_counted():
    """A manifest lists all decks that were printed together."""
    two = [code for deck in (1, 2) for code in print_cards(40, deck=deck).deck.codes]
    deck = KnownDeck(tuple(two))
    read = two[:3] + two[-1:]
    (of_one,), (of_both,), (of_none,) = (cards_placed(some, deck) for some in (read[:3], read, []))
    assert of_one.facts == {"placed": 3, "expected": 40}
    assert of_both.facts == {"placed": 4, "expected": 80}
    assert of_none.facts == {"placed": 0, "expected": 80}
