"""Parts of a table's pattern about as large as cards, and cards that look like each other."""

import numpy as np
import pytest

from printables.tabletop.edges.paper_view import PaperView
from printables.tabletop.edges.patterns import are_of_table, in_even_rows, repeated
from tests.printables.tabletop.edges.test_card_edges import READ, SIZE, box, drawn

UNEVEN = np.array([box(60 + 83 * n + 7 * (n % 2), 60 + 9 * (n % 3), 4 * n) for n in range(6)])


def grid(off=0.0, turn=0.0, size=SIZE):
    """Twelve boxes at equal distances, each moved up to `off` and turned up to `turn`."""
    rng = np.random.default_rng(1)
    places = [(100 + 110 * x, 130 + 80 * y) for y in range(3) for x in range(4)]
    moved, turned = rng.uniform(-off, off, (12, 2)), rng.uniform(-turn, turn, 12)
    boxes = [
        box(x + right, y + down, by, size)
        for (x, y), (right, down), by in zip(places, moved, turned, strict=True)
    ]
    return np.array(boxes)


def test_boxes_at_equal_distances_are_a_pattern_unless_read_cards_lie_so_too():
    assert in_even_rows(grid(), UNEVEN).all()
    assert in_even_rows(grid(off=0.5), UNEVEN).sum() >= 10
    assert not in_even_rows(grid(), grid() + 300).any()
    assert not in_even_rows(grid(off=6), UNEVEN).any()
    assert not in_even_rows(grid(turn=30), UNEVEN).any()
    assert in_even_rows(np.zeros((0, 4, 2)), UNEVEN).shape == (0,)
    assert not in_even_rows(grid()[:4], UNEVEN).any()


def test_printed_rectangles_are_no_cards_however_many_are_missing():
    apart = box(560, 300, 17)[None]
    papers = np.concatenate([grid(), apart])
    for missing in (None, 1, 200):
        assert are_of_table(papers, UNEVEN, missing).tolist() == [True] * 12 + [False]
    # with no card missing, a blank one may be another deck's, but not on such a cloth
    assert are_of_table(papers, UNEVEN, 0).all()
    assert not are_of_table(apart, UNEVEN, 0).any()


@pytest.mark.parametrize(
    ("missing", "of_table"), [(12, False), (9, False), (8, True), (None, False)]
)
def test_many_more_blank_cards_than_are_missing_are_none(missing, of_table):
    assert are_of_table(grid(off=6, turn=30), UNEVEN, missing).tolist() == [of_table] * 12


def checked(cards, square=58, dark=120):
    """Cards, nearly as light as the light squares of a cloth, on it."""
    row, column = (np.arange(length) // square for length in (420, 620))
    cloth = np.where((row[:, None] + column) % 2 == 0, 240, dark).astype(np.uint8)
    return np.maximum(cloth * (drawn(0, cards) == 0), drawn(0, cards))


def fitted():
    """Boxes in the corners of the light squares below the read cards."""
    places = [(x, y) for y in range(2, 7) for x in range(10) if (x + y) % 2 == 0]
    return np.array([box(58 * x + 33, 58 * y + 23 + 12 * (x % 2)) for x, y in places])


def test_squares_of_a_cloth_are_a_pattern_also_if_more_cards_are_missing():
    view = PaperView.of(checked(UNEVEN), UNEVEN, 1.0)
    boxes = fitted()
    assert repeated(view, boxes, boxes, UNEVEN, 100).sum() > 0.5 * len(boxes)
    assert repeated(view, boxes, boxes, UNEVEN, None).sum() > 0.5 * len(boxes)


def test_cards_face_down_look_alike_and_are_no_pattern():
    # each has four clear sides, and beyond them is the dark table, or a cloth
    boxes = grid(off=6, turn=3)
    plain, cloth = drawn(90, [*UNEVEN, *boxes]), checked([*UNEVEN, *boxes], 22)
    for grey in (plain, cloth):
        view = PaperView.of(grey, UNEVEN, 1.0)
        assert not repeated(view, boxes, boxes, UNEVEN, 12).any()
    assert not repeated(view, boxes[:0], boxes[:0], np.array(READ), 3).any()


def test_a_few_more_blank_cards_than_are_missing_are_no_pattern():
    # notes of a card's size may be among them
    boxes = grid(off=6, turn=3)
    view = PaperView.of(drawn(90, [*UNEVEN, *boxes]), UNEVEN, 1.0)
    assert not repeated(view, boxes, boxes, UNEVEN, 9).any()
    assert repeated(view, boxes, boxes, UNEVEN, 8).any()
