"""Symbols that were found in a photo, and the way back to a mirrored one."""

import numpy as np
import pytest

from printables.reading import detections
from printables.reading.detections import Detections, Mirror, ReadSymbol
from printables.reading.findings import Code, Finding
from printables.reading.photos.colours import Colours
from printables.reading.symbols.search import View
from printables.tabletop.grouping import TablePlan

SQUARE = np.array([[10, 20], [30, 20], [30, 40], [10, 40]], float)


def test_what_was_found_in_a_turned_photo_is_where_the_mirrored_one_shows_it():
    back = Mirror(100)
    (symbol,) = back.symbols([ReadSymbol("1", SQUARE, "decoded")])
    assert symbol.corners.tolist() == [[89, 20], [69, 20], [69, 40], [89, 40]]
    places = Finding(Code.PAPER_UNEXPLAINED, {"count": 1, "places": [SQUARE.tolist()]})
    assert back.finding(places).facts["places"] == [symbol.corners.tolist()]
    other = Finding(Code.CARDS_PLACED, {"placed": 1, "expected": 2})
    assert back.finding(other) is other


def test_cards_on_the_table_stay_where_they_are_when_a_photo_is_turned():
    to_table = np.array([[0.5, 0.1, 3], [0.0, 0.4, 5], [1e-4, 2e-4, 1]])
    plan = TablePlan(to_table, SQUARE[None])
    turned = Mirror(100).plan(plan)
    assert turned.in_photo()[0] == pytest.approx(Mirror(100)(plan.in_photo()[0]))


def test_symbols_read_elsewhere_are_known_and_colours_are_not():
    grey = np.full((200, 200), 200, np.uint8)
    detected = Detections(grey, None, View.at(grey, 1.0, False))
    detected.add_read([ReadSymbol("1", SQUARE, "decoded")])
    assert detected.own.tolist() == [True] and detected.colours is None
    assert detected.all_corners().tolist() == [SQUARE.tolist()]


def test_paper_beside_known_cards_is_left_out_if_it_has_another_colour(monkeypatch):
    grey = np.full((200, 200), 200, np.uint8)
    detected = Detections(grey, None, View.at(grey, 1.0, False))
    detected.add_read([ReadSymbol("1", SQUARE, "decoded")])
    blank, scraps = np.stack([SQUARE, SQUARE + 50]), np.stack([SQUARE + 90])
    monkeypatch.setattr(detections, "find_blank_cards", lambda *_given: (blank, scraps))
    outlines = detected.plan.outlines
    assert [len(found) for found in detected.blank_cards_beside(outlines)] == [2, 1]
    monkeypatch.setattr(Colours, "are_paper", lambda *given: given[-1][:, 0, 0] < 30)
    detected.colours = Colours(grey, 0, grey.shape, False)
    assert [len(found) for found in detected.blank_cards_beside(outlines)] == [1, 0]
