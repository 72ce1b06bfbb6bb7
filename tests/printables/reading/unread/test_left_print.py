"""Print that no outline explains, in drawn top views of two pixels per millimetre."""

import cv2
import numpy as np
import pytest

from printables.cards.card import CardLayout
from printables.reading.unread.left_print import PX_PER_MM, cards_by_print
from printables.tabletop.top_view import TopView
from tests.bench.scenes import holds

LAYOUT = CardLayout(66, 46, "front")
CARD = np.array([[0, 0], [66, 0], [66, 46], [0, 46]], float)
TURNED = CARD[:, ::-1] + [10, -10]
ROWS = ((CARD, 20), (TURNED, 180))
READ = np.array([card + np.array([20 + 80 * n, y]) for card, y in ROWS for n in range(4)])
NONE = READ[:0]
MIDDLE, RIGHT = np.array([170.0, 120.0]), np.array([70.0, 0.0])
SKETCH = [(-20, -12), (-8, 6), (2, -14), (10, 8), (18, -6), (6, 12), (-16, 10), (-20, -12)]


def top_view(*draw, white=240):
    """Read cards on a table, and what others draw on it."""
    picture = np.full((500, 720), white, np.uint8)
    for card in READ:
        cv2.fillConvexPoly(picture, pixels(card), 240)
    for one in draw:
        one(picture)
    return TopView(cv2.GaussianBlur(picture, (0, 0), 0.7), np.zeros(2), PX_PER_MM)


def pixels(points):
    return np.round(PX_PER_MM * np.asarray(points, float)).astype(np.int32)


def turned(points, degrees):
    angle = np.deg2rad(degrees)
    return points @ np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])


def lines(points, at=MIDDLE, grey=0):
    return lambda picture: cv2.polylines(picture, [pixels(np.add(points, at))], False, grey)


def found(top, others=NONE, most=9):
    return cards_by_print(top, READ, others, LAYOUT, most)


@pytest.mark.parametrize("turn", [0, 37, 90])
def test_a_sketch_belongs_to_a_card_that_lies_like_the_nearest_one(turn):
    (card,) = found(top_view(lines(turned(SKETCH, turn))))
    assert np.abs(card - card[0] - CARD).max() < 1e-9
    assert np.linalg.norm(card.mean(0) - MIDDLE) < 6
    assert holds(card, MIDDLE)


def test_print_on_known_cards_is_theirs():
    sketch = lines(SKETCH)
    at = READ[1].mean(0)
    assert not len(found(top_view(lines(SKETCH, at))))
    assert not len(found(top_view(sketch), (CARD - [33, 23] + MIDDLE)[None]))


def test_two_sketches_are_two_cards_unless_they_are_nearer_than_half_a_card():
    beside = lines(SKETCH, MIDDLE + RIGHT)
    assert len(found(top_view(lines(SKETCH), beside))) == 2
    small = [(x / 3, y / 3) for x, y in SKETCH]
    near = lines(small, MIDDLE + 0.3 * RIGHT)
    assert len(found(top_view(lines(small), near))) == 1


TICK = ((0, 0), (0, 4), (0, 0))
RULER = [(x + dx, dy) for x in range(-18, 20, 6) for dx, dy in TICK]


@pytest.mark.parametrize(
    "points",
    [
        [(-25, -12), (25, 12)],
        [(-20, 0), *RULER, (20, 0)],
        [(-45, -15), (-15, 15), (15, -15), (45, 15)],
    ],
    ids=["an edge", "a ruler", "longer than a card"],
)
def test_edges_and_what_is_longer_than_a_card_are_no_print_of_a_card(points):
    assert not len(found(top_view(lines(points))))


@pytest.mark.parametrize("turn", [0, 15])
def test_lines_of_text_are_no_print_of_a_card(turn):
    rows = range(-12, 13, 6)
    letters = [[(x - 24, row + x % 4) for x in range(0, 49, 2)] for row in rows]
    assert not len(found(top_view(*(lines(turned(row, turn)) for row in letters))))
    bars = [[(-25, row), (25, row)] for row in range(-12, 13, 4)]
    assert not len(found(top_view(*(lines(turned(row, turn)) for row in bars))))


def test_pale_lines_and_lines_on_a_table_that_is_darker_than_paper_are_no_print():
    assert not len(found(top_view(lines(SKETCH, grey=215))))
    for white in (90, 207):
        assert not len(found(top_view(lines(SKETCH, grey=20), white=white)))


def test_lines_much_paler_than_print_of_read_cards_are_a_pattern():
    faces = [lines(SKETCH, card.mean(0)) for card in READ]
    assert len(found(top_view(*faces, lines(SKETCH, grey=50)))) == 1
    assert len(found(top_view(lines(SKETCH, grey=140)))) == 1
    assert not len(found(top_view(*faces, lines(SKETCH, grey=140))))


def test_many_more_sketches_than_missing_cards_are_a_pattern():
    small = np.array(SKETCH) / 2
    at = [(50 * column, 40 * row) for column in range(-2, 3) for row in range(-1, 1)]
    drawn = top_view(*(lines(small + place) for place in at))
    assert [len(found(drawn, most=most)) for most in (9, 5, 4)] == [9, 5, 0]


def test_without_any_lines_there_are_no_cards():
    assert found(top_view()).shape == (0, 4, 2)
