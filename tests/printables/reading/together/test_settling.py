"""What several photos of one table leave open together."""

from dataclasses import replace

import numpy as np
import pytest

from printables.cards.codes import CardCode, encode
from printables.reading.findings import Code, Finding
from printables.reading.reader import PhotoReading, ReadSymbol
from printables.reading.together.settling import settle
from printables.tabletop.grouping import TablePlan

CARD = np.array([[0, 0], [60, 0], [60, 40], [0, 40]], float)
# a row of cards in one group, and one far to the right
TABLE = {1: (0, 0), 2: (70, 0), 3: (140, 0), 4: (210, 0), 5: (600, 0)}
PX_PER_MM = 4.0
DECK = 6


def at(*cards):
    return np.array([CARD + TABLE[card] for card in cards], float).reshape(-1, 4, 2)


def photo(cards, unread=(), paper=(), hidden=(), turn_deg=0.0):
    """A reading of some cards; the places are cards that it shows otherwise."""
    turn = np.deg2rad(turn_deg)
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    group = {card: 1 if card < 5 else 2 for card in cards}
    symbols = tuple(
        ReadSymbol(encode(CardCode(1, card, 1, 1)), np.zeros((4, 2)), "decoded", None, group[card])
        for card in cards
    )
    plan = TablePlan(np.diag([1 / PX_PER_MM, 1 / PX_PER_MM, 1]), at(*cards) @ spin)
    in_photo = [at(*places) @ spin * PX_PER_MM for places in (unread, paper, hidden)]
    findings = [Finding(Code.CARDS_PLACED, {"placed": len(cards), "expected": DECK})]
    if unread:
        findings.append(Finding(Code.CARDS_UNREAD, {"count": len(unread), "cause": "cut_off"}))
    if paper:
        places = {"count": len(paper), "places": in_photo[1].tolist()}
        findings.append(Finding(Code.PAPER_UNEXPLAINED, places))
    if hidden:
        findings.append(Finding(Code.CARDS_HIDDEN, {"groups": sorted(set(group.values()))}))
    places = (in_photo[2], in_photo[2])
    return PhotoReading(9000, 9000, symbols, (), in_photo[0], tuple(findings), plan, places)


def codes(reading):
    return [found.code for found in reading.findings if found.code != Code.CARDS_PLACED]


@pytest.mark.parametrize("kind", ["unread", "paper", "hidden"])
def test_a_place_that_a_card_of_another_photo_takes_is_explained(kind):
    one, other = photo([1, 2], **{kind: [3]}), photo([1, 2, 3], turn_deg=30)
    assert codes(settle([one])[0]) == codes(one) != []
    for order in ([one, other], [other, one]):
        assert [codes(left) for left in settle(order)] == [[], []]
    # a photo that does not read a card there explains nothing
    left, _other = settle([one, photo([1, 2, 4], turn_deg=30)])
    assert codes(left) == codes(one)


def test_what_remains_is_counted():
    one = photo([1, 2], unread=[3, 4], paper=[3, 5])
    left, other = settle([one, photo([2, 3], paper=[5])])
    assert [f.facts.get("count") for f in left.findings] == [None, 1, 1]
    assert left.unread.mean(1)[0].tolist() == (at(4).mean(1)[0] * PX_PER_MM).tolist()
    # the same paper on a second photo is reported once
    assert codes(other) == []


def test_paper_that_is_an_unread_card_in_another_photo_is_reported_once():
    # card 3 is face down; an edge of the first photo cuts it off
    one, other = photo([1, 2], paper=[3]), photo([1, 2, 4], unread=[3], turn_deg=30)
    for order in ([one, other], [other, one]):
        left = {len(codes(reading)): reading for reading in settle(order)}
        assert codes(left[1]) == [Code.CARDS_UNREAD] and len(left[1].unread) == 1
        assert 0 in left


def test_a_pile_that_another_photo_shows_whole_is_settled():
    cards = photo([1, 2, 5], unread=[2, 5])
    pile = Finding(Code.CARDS_OVERLAID, {"groups": [1, 2]})
    one = replace(cards, findings=(*cards.findings, pile))
    assert settle([one, photo([1, 2])])[0].findings[-1] == pile
    # a card that only the other photo reads is at the place over card 5
    other = photo([1, 2, 3])
    moved = other.plan.outlines.copy()
    moved[2] = at(5)[0]
    other = replace(other, plan=replace(other.plan, outlines=moved))
    assert settle([one, other])[0].findings[-1].facts == {"groups": [1]}


def test_only_groups_beside_a_remaining_place_may_have_a_hidden_card():
    one = photo([1, 2, 5], hidden=[3])
    left, _other = settle([one, photo([1, 2])])
    (found,) = [f for f in left.findings if f.code == Code.CARDS_HIDDEN]
    assert found.facts["groups"] == [1]
    glare = Finding(Code.CARDS_HIDDEN, {"groups": [1, 2], "glare": True})
    left, _other = settle([replace(one, findings=(glare,)), photo([1, 2])])
    assert left.findings[0].facts == {"groups": [1], "glare": True}


def test_groups_of_which_most_cards_may_be_hidden_stay_in_doubt_until_another_photo_shows_them(
    monkeypatch,
):
    monkeypatch.setattr("tests.printables.reading.together.test_settling.DECK", 5)
    doubt = Finding(Code.GROUPS_UNCERTAIN, {"groups": [1, 2], "reason": "hidden_between"})
    one = photo([1, 2, 5], hidden=[3])
    one = replace(one, findings=(*one.findings, doubt))
    left, _other = settle([one, photo([1, 2])])
    assert left.findings[-1] == doubt
    left, _other = settle([one, photo([1, 2, 4])])
    assert doubt not in left.findings
    # an outline that may show no card is not one card less
    one = photo([1, 2, 5], hidden=[3], unread=[4])
    left, _other = settle([replace(one, findings=(*one.findings, doubt)), photo([1, 2])])
    assert left.findings[-1] == doubt


def test_nothing_is_open_if_the_photos_show_the_whole_deck(monkeypatch):
    monkeypatch.setattr("tests.printables.reading.together.test_settling.DECK", 5)
    one, other = photo([1, 2], paper=[4], hidden=[5]), photo([2, 3, 4, 5], unread=[1])
    assert [codes(left) for left in settle([one, other])] == [[], []]


def test_a_group_that_only_a_place_without_a_card_connects_is_separated(monkeypatch):
    monkeypatch.setattr("tests.printables.reading.together.test_settling.DECK", 4)
    doubt = Finding(Code.GROUPS_UNCERTAIN, {"groups": [1], "reason": "unread_between"})
    one, other = photo([1, 2, 4], unread=[3]), photo([1, 2, 4, 5])
    one = replace(one, findings=(*one.findings, doubt))
    for order in ([one, other], [other, one]):
        left = settle(order)[order.index(one)]
        card = [symbol.code for symbol in one.symbols].index
        assert [card(symbol.code) for symbol in left.symbols] == [0, 1, 2]
        assert [symbol.group for symbol in left.symbols] == [1, 1, 2]
        assert codes(left) == []
        assert left.plan.outlines.tolist() == one.plan.outlines.tolist()
    # groups that were counted are in no doubt and stay
    counted = settle([replace(one, findings=one.findings[:-1]), other])[0]
    assert {symbol.group for symbol in counted.symbols} == {1}


def inward(reading, px):
    """The same photo with more bare table to the left and above."""
    to_table = reading.plan.to_table.copy()
    to_table[:2, 2] -= px / PX_PER_MM
    plan = replace(reading.plan, to_table=to_table)
    return replace(reading, plan=plan, unread=reading.unread + px)


def test_an_unread_card_that_most_photos_do_not_show_connects_no_groups():
    doubt = Finding(Code.GROUPS_UNCERTAIN, {"groups": [1], "reason": "unread_between"})
    outlined = inward(photo([1, 2, 4], unread=[3]), 400)
    one = replace(outlined, findings=(*outlined.findings, doubt))
    bare = inward(photo([1, 2, 4]), 400)
    left = settle([one, bare, bare])[0]
    assert [symbol.group for symbol in left.symbols] == [1, 1, 2]
    assert (codes(left), len(left.unread)) == ([], 0)
    # as many photos show the card as do not
    assert settle([one, bare])[0].unread.tolist() == one.unread.tolist()
    assert settle([one, bare, bare, outlined])[0].unread.tolist() == one.unread.tolist()
    # the place is at the edge of the other photos
    edge = photo([1, 2, 4])
    assert settle([one, edge, edge])[0].unread.tolist() == one.unread.tolist()
    # the photo itself shows the place at its edge
    cut = replace(photo([1, 2, 4], unread=[3]), findings=one.findings)
    assert [symbol.group for symbol in settle([cut, bare])[0].symbols] == [1, 1, 2]


def test_groups_beside_an_unread_card_stay_in_doubt_if_a_third_is_near():
    # 10 and 12 mm from the unread card, and 35 mm
    places = CARD + np.array([[0, 0], [142, 0], [72, 75], [600, 0]])[:, None]
    one = photo([1, 2, 3, 4])
    symbols = [
        replace(symbol, group=g) for symbol, g in zip(one.symbols, (1, 2, 3, 4), strict=True)
    ]
    doubt = Finding(Code.GROUPS_UNCERTAIN, {"groups": [1, 2], "reason": "unread_between"})
    plan = replace(one.plan, outlines=places)
    unread = (CARD + np.array([72, 0]))[None] * PX_PER_MM
    one = replace(one, symbols=tuple(symbols), plan=plan, findings=(doubt,), unread=unread)
    other = replace(one, unread=unread[:0], findings=())
    assert settle([one, other])[0].findings == (doubt,)


def test_photos_of_different_tables_explain_nothing():
    one, other = photo([1, 2, 3], paper=[4]), photo([1, 2, 3, 4])
    moved = other.plan.outlines[[2, 3, 0, 1]] * [1, -1] + [
        [[0, 0]],
        [[0, 700]],
        [[900, 0]],
        [[5, 5]],
    ]
    other = replace(other, plan=replace(other.plan, outlines=moved))
    assert settle([one, other]) == [one, other]


def test_photos_without_cards_are_left_as_they_are():
    none = PhotoReading(9, 9, (), (), np.zeros((0, 4, 2)), (), None)
    one = photo([1, 2], paper=[3])
    assert settle([none, none]) == [none, none]
    assert codes(settle([none, one])[1]) == codes(one)


def test_cards_that_are_nowhere_in_one_photo_may_be_in_another():
    alone, other = photo((1, 2)), photo((2, 3))
    unseen = Finding(Code.CARDS_UNSEEN, {"count": 4})
    alone = replace(alone, findings=(*alone.findings, unseen))
    nothing = replace(alone, symbols=(), plan=None, findings=())
    assert codes(settle([alone, other])[0]) == []
    assert codes(settle([alone, nothing])[0]) == [Code.CARDS_UNSEEN]
