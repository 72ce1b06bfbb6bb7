"""Photos of one table joined by shared cards."""

import numpy as np
import pytest

from printables.errors import PaperError
from printables.reading.joining import join_photos
from printables.reading.reader import PhotoReading, ReadSymbol
from printables.tabletop.grouping import TablePlan

CARD = np.array([[0, 0], [60, 0], [60, 40], [0, 40]], float)
# two groups side by side, and one far below
TABLE = {
    "a": (0, 0), "b": (70, 0), "c": (140, 5), "d": (210, 0),
    "e": (330, 0), "f": (400, 10), "g": (0, 200),
}  # fmt: skip


def photo(codes, turn_deg=0.0, shift=(0.0, 0.0), moved=()):
    """A reading of some cards, on a plane turned and shifted otherwise."""
    turn = np.deg2rad(turn_deg)
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    places = TABLE | dict(moved)
    outlines = np.array([CARD + places[code] for code in codes]).reshape(-1, 4, 2)
    symbols = tuple(ReadSymbol(code, np.zeros((4, 2)), "decoded") for code in codes)
    plan = TablePlan(np.eye(3), outlines @ spin.T + shift) if codes else None
    return PhotoReading(100, 100, symbols, (), np.zeros((0, 4, 2)), (), plan)


def test_overlapping_photos_give_one_grouping():
    joined = join_photos([photo("abcg"), photo("cdef", 140, (900, -50))])
    assert joined.groups == {"a": 1, "b": 1, "c": 1, "d": 1, "e": 2, "f": 2, "g": 3}
    assert joined.conflicts == ()


def test_the_order_of_photos_does_not_matter_for_who_lies_with_whom():
    photos = [photo("ab"), photo("bcg", 20), photo("cdef", 140, (900, -50))]
    for order in ((0, 1, 2), (2, 0, 1), (1, 2, 0)):
        groups = join_photos([photos[n] for n in order]).groups
        assert groups["a"] == groups["d"] != groups["e"] == groups["f"]
        assert len(set(groups.values())) == 3


def test_a_card_that_moved_between_photos_is_named():
    joined = join_photos([photo("abcg"), photo("bcge", 90, moved={"g": (600, 300)})])
    assert "g" not in joined.groups
    assert joined.groups["a"] == joined.groups["c"] != joined.groups["e"]
    assert len(joined.conflicts) == 1
    assert "card g lies in two places" in joined.conflicts[0]


def test_a_card_twice_in_one_photo_is_named():
    joined = join_photos([photo("aab")])
    assert joined.groups == {"b": 1}
    assert "card a" in joined.conflicts[0]


def test_photos_that_share_nothing_stay_apart_and_are_named():
    joined = join_photos([photo("ab"), photo("ef")])
    assert joined.groups == {"a": 1, "b": 1, "e": 2, "f": 2}
    assert joined.conflicts == (
        "photo 2 shares no card with the others: take one more that overlaps both",
    )


def test_a_known_number_of_groups():
    assert set(join_photos([photo("abcdefg")], groups=2).groups.values()) == {1, 2}


def test_photos_without_cards():
    assert join_photos([photo(""), photo("ab")]).groups == {"a": 1, "b": 1}
    with pytest.raises(PaperError, match="no card was read in any photo"):
        join_photos([photo("")])
