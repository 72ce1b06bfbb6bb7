"""Placing photos on one table: photos of another table, and cards moved between photos."""

from dataclasses import replace

import numpy as np

from printables.reading.findings import Code
from printables.reading.reader import PhotoReading, ReadSymbol
from printables.reading.together.joining import join_photos
from printables.reading.together.placing import place_photos
from printables.reading.together.settling import settle
from printables.reading.together.view import PhotoView
from printables.tabletop.grouping import TablePlan

CARD = np.array([[-30, -20], [30, -20], [30, 20], [-30, 20]], float)
SIDE, PX_PER_MM = 1000, 1.0


def table(codes, seed):
    """Places of cards in a grid, in an order of their own."""
    places = [(90 + 110 * x, 90 + 110 * y) for y in range(8) for x in range(8)]
    order = np.random.default_rng(seed).permutation(len(places))
    return {code: places[place] for code, place in zip(codes, order, strict=False)}


def photo(places, lost=(), left=0, unread=()):
    """A photo of 1 m x 1 m from `left` mm on, which shows every card in it but the lost ones."""
    inside = {
        code: (x - left, y)
        for code, (x, y) in places.items()
        if code not in lost and 30 < x - left < SIDE - 30
    }
    outlines = np.array([CARD + at for at in inside.values()]).reshape(-1, 4, 2)
    symbols = tuple(ReadSymbol(code, np.zeros((4, 2)), "decoded", group=1) for code in inside)
    left_over = np.array([CARD + np.subtract(places[code], (left, 0)) for code in unread])
    plan = TablePlan(np.eye(3), outlines)
    return PhotoReading(SIDE, SIDE, symbols, (), left_over.reshape(-1, 4, 2), (), plan)


ONE = table([f"a{n:02}" for n in range(30)], 1)
OTHER = table(["a00", *(f"b{n:02}" for n in range(29))], 2)


def tilted(reading):
    """The same cards in a photo of which the upper tenth is beyond the table's horizon."""
    to_table = np.array([[1.2, 500 / 900, -600 - 500 / 9], [0, -1, 1000], [0, 1 / 900, -1 / 9]])
    return replace(reading, plan=TablePlan(to_table, reading.plan.outlines))


def kinds(joined):
    return [finding.code for finding in joined.findings]


def test_photos_of_two_tables_that_share_a_card_are_kept_apart():
    joined = join_photos([photo(ONE), photo(OTHER)])
    assert Code.PHOTO_DIFFERS in kinds(joined)
    (said,) = (one for one in joined.findings if one.code == Code.PHOTO_DIFFERS)
    assert said.facts == {"photos": [2]}
    groups = [{joined.groups[code] for code in cards if code != "a00"} for cards in (ONE, OTHER)]
    assert groups[0].isdisjoint(groups[1])
    # nothing says on which of the tables the shared card is
    assert "a00" not in joined.groups and Code.CARD_IN_TWO_PLACES not in kinds(joined)


def test_photos_that_show_the_horizon_are_kept_apart_too():
    # no card is where another is in the other photo
    between = {code: (x + 55, y + 50) for code, (x, y) in OTHER.items()} | {"a00": OTHER["a00"]}
    both = join_photos([tilted(photo(ONE)), tilted(photo(between))])
    assert Code.PHOTO_DIFFERS in kinds(both)
    again = tilted(photo(ONE, sorted(ONE)[20:]))
    assert kinds(join_photos([tilted(photo(ONE)), again])) == []
    # the photo ends at the table's near edge
    shown = PhotoView.of(again, np.asarray)
    assert shown.shows(CARD + np.array([500, 700])) and not shown.shows(CARD - np.array([-500, 20]))


def test_a_table_that_was_sorted_again_is_another_table():
    again = table(ONE, 3)
    joined = join_photos([photo(ONE), photo(again)])
    # not a finding for each card
    assert kinds(joined) == [Code.PHOTO_DIFFERS]
    assert joined.groups == {}


def test_a_poor_photo_of_the_same_table_is_not_taken_for_another_table():
    lost = sorted(ONE)[5:]
    for photos in ([photo(ONE), photo(ONE, lost)], [photo(ONE, lost), photo(ONE)]):
        joined = join_photos(photos)
        assert kinds(joined) == [] and joined.groups.keys() == ONE.keys()


def test_cards_that_are_unread_in_turn_are_not_taken_for_another_table():
    first, second = sorted(ONE)[:14], sorted(ONE)[16:]
    photos = [photo(ONE, first, unread=first), photo(ONE, second, unread=second)]
    assert kinds(join_photos(photos)) == []
    # two cards are in both photos, and fourteen are missing in each
    bare = join_photos([photo(ONE, first), photo(ONE, second)])
    assert Code.PHOTO_DIFFERS in kinds(bare)


def test_overlapping_photos_of_one_table_fit():
    wide = {code: (x + 500 * (n % 2), y) for n, (code, (x, y)) in enumerate(ONE.items())}
    joined = join_photos([photo(wide), photo(wide, left=400)])
    assert Code.PHOTO_DIFFERS not in kinds(joined)


def test_the_table_in_most_photos_is_kept_whatever_a_stray_photo_shows():
    stray = photo(table(["a00", *(f"b{n:02}" for n in range(39))], 2))
    good = [photo(ONE, sorted(ONE)[27:]), photo(ONE, sorted(ONE)[1:4])]
    for photos, number in (([stray, *good], 1), ([*good, stray], 3)):
        (said,) = (one for one in join_photos(photos).findings if one.code == Code.PHOTO_DIFFERS)
        assert said.facts == {"photos": [number]}


def test_two_cards_in_one_place_belong_to_two_tables():
    # in the second photo only the shared card is where the first shows cards
    lone = {"a00": ONE["a00"], "b00": (ONE["a01"][0] + 5, ONE["a01"][1])}
    joined = join_photos([photo(ONE), photo(lone)])
    assert Code.PHOTO_DIFFERS in kinds(joined)


def test_a_photo_that_connects_others_may_come_last():
    wide = {f"a{n:02}": (90 + 110 * (n % 24), 90 + 110 * (n // 24)) for n in range(72)}
    again = table(wide, 5)
    parts = [photo(wide), photo(wide, left=1650), photo(wide, left=800)]
    joined = join_photos([*parts, photo(again)])
    (said,) = (one for one in joined.findings if one.code == Code.PHOTO_DIFFERS)
    assert said.facts == {"photos": [4]}


def test_if_every_card_is_on_two_tables_no_card_is_grouped():
    # also if their number is given
    again = table(ONE, 3)
    for groups in (None, 6):
        joined = join_photos([photo(ONE), photo(again)], groups)
        assert Code.PHOTO_DIFFERS in kinds(joined)
        assert joined.groups == {}


def test_a_stray_photo_does_not_keep_the_others_from_being_settled():
    first = replace(photo(ONE, ["a05"], unread=["a05"]), findings=())
    readings = settle([first, photo(ONE), photo(OTHER)])
    assert [len(reading.unread) for reading in readings] == [0, 0, 0]


def test_photos_of_another_table_agree_with_no_other():
    _cards, placements = place_photos([photo(ONE), photo(OTHER), photo(ONE, sorted(ONE)[:3])])
    assert [placement.agrees for placement in placements] == [True, False, True]
    assert placements[1].shift[0] > 1000 > placements[2].shift[0] == 0
