"""Joining photos of one table by shared cards."""

from dataclasses import replace

import numpy as np
import pytest

from printables.errors import PaperError
from printables.reading.findings import Code, Finding
from printables.reading.reader import PhotoReading, ReadSymbol
from printables.reading.together.joining import join_photos, with_unread_once
from printables.tabletop.grouping import TablePlan, group_cards

CARD = np.array([[0, 0], [60, 0], [60, 40], [0, 40]], float)
# two groups side by side, and one far below
TABLE = {
    "a": (0, 0), "b": (70, 0), "c": (140, 5), "d": (210, 0),
    "e": (330, 0), "f": (400, 10), "g": (0, 200),
}  # fmt: skip


def photo(codes, turn_deg=0.0, shift=(0.0, 0.0), moved=(), unread=""):
    """A reading of some cards, with its own rotation and origin of the plane."""
    turn = np.deg2rad(turn_deg)
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    places = TABLE | dict(moved)
    outlines = np.array([CARD + places[code] for code in codes]).reshape(-1, 4, 2)
    symbols = tuple(ReadSymbol(code, np.zeros((4, 2)), "decoded") for code in codes)
    plan = TablePlan(np.eye(3), outlines @ spin.T + shift) if codes else None
    labels = group_cards(outlines, bridges=_places(unread)) if codes else []
    symbols = tuple(
        replace(symbol, group=int(group)) for symbol, group in zip(symbols, labels, strict=True)
    )
    hidden = _places(unread) @ spin.T + shift
    return PhotoReading(100, 100, symbols, (), hidden, (), plan)


def _places(codes):
    return np.array([CARD + TABLE[code] for code in codes]).reshape(-1, 4, 2)


def test_overlapping_photos_give_one_grouping():
    joined = join_photos([photo("abcg"), photo("cdef", 140, (900, -50))])
    assert joined.groups == {"a": 1, "b": 1, "c": 1, "d": 1, "e": 2, "f": 2, "g": 3}
    assert joined.conflicts == ()


def test_the_grouping_does_not_depend_on_the_order_of_photos():
    photos = [photo("ab"), photo("bcg", 20), photo("cdef", 140, (900, -50))]
    for order in ((0, 1, 2), (2, 0, 1), (1, 2, 0)):
        groups = join_photos([photos[n] for n in order]).groups
        assert groups["a"] == groups["d"] != groups["e"] == groups["f"]
        assert len(set(groups.values())) == 3


def test_a_card_that_moved_between_photos_is_reported():
    joined = join_photos([photo("abcg"), photo("bcge", 90, moved={"g": (600, 300)})])
    assert "g" not in joined.groups
    assert joined.groups["a"] == joined.groups["c"] != joined.groups["e"]
    assert len(joined.conflicts) == 1
    assert joined.findings[0] == Finding(Code.CARD_IN_TWO_PLACES, {"card": "g", "groups": []})
    assert "Card g appears in two places" in joined.conflicts[0]


def test_a_card_twice_in_one_photo_is_reported():
    joined = join_photos([photo("aab")])
    assert joined.groups == {"b": 1}
    assert "Card a" in joined.conflicts[0]


def test_photos_without_shared_cards_are_separate_and_reported():
    joined = join_photos([photo("ab"), photo("ef")])
    assert joined.groups == {"a": 1, "b": 1, "e": 2, "f": 2}
    assert joined.conflicts == (
        "Photo 2 shares no card with the other photos: take one more that overlaps both.",
    )


def test_a_known_number_of_groups():
    assert set(join_photos([photo("abcdefg")], groups=2).groups.values()) == {1, 2}


def test_photos_without_cards():
    assert join_photos([photo(""), photo("ab")]).groups == {"a": 1, "b": 1}
    with pytest.raises(PaperError, match="no card was read in any photo"):
        join_photos([photo("")])


def test_an_unread_card_connects_its_group_across_photos():
    # b is not read in any photo: only its outline connects a to c
    joined = join_photos([photo("ag", unread="b"), photo("gcd", 30, unread="b")])
    assert joined.groups["a"] == joined.groups["c"] == joined.groups["d"]
    apart = join_photos([photo("ag"), photo("gcd", 30)])
    assert apart.groups["a"] != apart.groups["c"]


def test_photos_that_group_the_same_cards_differently_are_reported():
    one, other = photo("abcg"), photo("abcg", 40)
    split = [replace(symbol, group=n) for n, symbol in enumerate(other.symbols, 1)]
    joined = join_photos([one, replace(other, symbols=tuple(split))])
    assert joined.findings[0].code == Code.PHOTOS_DISAGREE
    assert joined.findings[0].facts == {"cards": ["a", "b"], "photos": [1, 2]}
    assert "Photos 1 and 2 disagree" in joined.conflicts[0]


def test_photos_of_the_edge_of_a_group_do_not_disagree_with_one_that_shows_more_of_it():
    one, edge = photo("abcdg"), photo("abc", 40)
    apart = replace(photo("bcg", 20), symbols=())
    split = [replace(symbol, group=n) for n, symbol in enumerate(photo("bcg").symbols, 1)]
    apart = replace(apart, symbols=tuple(split))
    joined = join_photos([one, edge, apart, photo("bc", 10)])
    assert joined.findings == ()
    # without the photo that shows more, nothing decides
    codes = [found.code for found in join_photos([apart, photo("bc", 10)]).findings]
    assert codes == [Code.PHOTOS_DISAGREE]


def test_a_photo_that_shows_the_table_around_two_groups_decides_that_they_are_two():
    around = photo("abcdefg", shift=(60, 60))
    edges = photo("de", 20)
    edges = replace(edges, symbols=tuple(replace(symbol, group=1) for symbol in edges.symbols))
    # e is farther from d than cards of one group, as if a header card were between them
    assert join_photos([replace(around, width=600, height=400), edges]).findings
    near = {"e": (305, 0), "f": (375, 10)}
    around = photo("abcdefg", shift=(60, 60), moved=near)
    assert around.groups == 3
    edges = photo("de", 20, moved=near)
    edges = replace(edges, symbols=tuple(replace(symbol, group=1) for symbol in edges.symbols))
    joined = join_photos([replace(around, width=600, height=400), edges])
    assert joined.findings == () and joined.groups["d"] != joined.groups["e"]
    # the edge of the photo is 40 mm from a card
    joined = join_photos([replace(around, width=535, height=400), edges])
    assert [found.code for found in joined.findings] == [Code.PHOTOS_DISAGREE]


def test_a_distance_that_no_photo_shows_and_that_is_near_the_gap_is_in_doubt():
    near = {"e": (302, 0)}
    joined = join_photos([photo("gabcd"), photo("ge", moved=near)])
    assert [found.code for found in joined.findings] == [Code.GROUPS_UNCERTAIN]
    assert joined.findings[0].facts["reason"] == "gap_unclear"


def test_a_card_in_two_places_is_reported_with_the_groups_around_it():
    joined = join_photos([photo("abcdef"), photo("abcdef", 30, moved={"d": (470, 5)})])
    found = joined.findings[0]
    assert found.facts == {
        "card": "d",
        "groups": sorted({joined.groups["a"], joined.groups["e"]}),
    }
    assert "in groups 1 and 2" in joined.conflicts[0]


def test_a_card_is_unread_once_and_only_if_no_photo_reads_it():
    # c extends beyond the edge of the first photo; g is face down, and both photos show it
    one, other = photo("ab", unread="cg"), photo("bcd", 30, unread="g")
    for readings in ([one, other], [other, one]):
        (left,) = join_photos(readings).unread
        assert left.beside is None
        shown = readings[left.photo].unread_mm[left.place].mean(0)
        hidden = photo("ab", 0 if readings[left.photo] is one else 30, unread="g").unread_mm[0]
        assert np.allclose(shown, hidden.mean(0))
    (beside,) = join_photos([photo("abd", unread="c"), photo("abef", 20)]).unread
    assert (beside.photo, beside.place, beside.beside) == (0, 0, 1)


def test_a_card_at_the_edge_of_a_photo_is_unread_once():
    whole = replace(photo("ab", unread="c"), width=1000, height=1000)
    # 20 mm of c are in sight, whose outline goes on over b
    wrong = CARD + np.array([100, 5])
    cut_off = replace(photo("ab"), width=161, height=1000, unread=wrong[None])
    for readings in ([whole, cut_off], [cut_off, whole]):
        (card,) = join_photos(readings).unread
        assert readings[card.photo] is whole


def test_an_unread_card_between_two_groups_of_joined_photos_is_a_doubt():
    one = photo("abd", unread="c")
    joined = join_photos([one, photo("abg", 40)])
    reasons = [found.facts.get("reason") for found in joined.findings]
    assert reasons == ["unread_between"]


def test_cards_of_other_decks_between_groups_of_joined_photos_are_a_doubt():
    """No photo shows the cards on both sides of those of other decks."""
    left = replace(photo("abg"), foreign_mm=_places("c"))
    right = photo("gef", 40, (500, 80), {"e": (300, 0)})
    assert join_photos([left, right]).findings == ()
    there = photo("d", 40, (500, 80)).plan.outlines
    joined = join_photos([left, replace(right, foreign_mm=there)])
    assert joined.groups["a"] != joined.groups["e"]
    (doubt,) = joined.findings
    assert doubt.facts["reason"] == "foreign_between"
    assert set(doubt.facts["groups"]) == {joined.groups["b"], joined.groups["e"]}


def test_an_unread_card_is_kept_in_one_photo_only():
    readings = [photo("ab", unread="cg"), photo("bad", 30, unread="g"), photo("")]
    left = with_unread_once(readings)
    assert sorted(len(reading.unread) for reading in left) in ([0, 0, 2], [0, 1, 1])
    assert [reading.symbols for reading in left] == [reading.symbols for reading in readings]
    assert with_unread_once([photo("")])[0].unread.shape == (0, 4, 2)
