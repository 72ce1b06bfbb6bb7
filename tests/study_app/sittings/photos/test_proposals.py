"""Groups from photos: joined by shared cards, continuing recorded groups."""

import numpy as np
import pytest

from printables.cards.codes import CardCode, encode
from printables.errors import PaperError
from printables.reading import findings
from study_app.sittings.photos.conflicts import Code, HeaderConflict
from study_app.sittings.photos.proposals import Recorded, Unread, propose

BLANK = Recorded({}, {})
CARD_MM = np.array([[0, 0], [66, 0], [66, 46], [0, 46]], float)
# Positions of cards on the table: 1 2 3 side by side, 4 5 side by side, far to the right.
TABLE_MM = {1: (0, 0), 2: (75, 0), 3: (150, 0), 4: (400, 0), 5: (475, 0)}


def reading(cards, shift=(0, 0), groups=None):
    """A stored reading of these cards from another camera position."""
    shown = []
    for card in cards:
        place = CARD_MM + TABLE_MM[card] + shift
        group = (1 if card < 4 or 3 not in cards else 2) if groups is None else groups[card]
        shown.append(
            {
                "stimulus": 100 + card,
                "code": encode(CardCode(1, card, 1, 1)),
                "corners": place.tolist(),
                "outline": place.tolist(),
                "place_mm": place.tolist(),
                "how": "decoded",
                "margin": None,
                "group": group,
            }
        )
    return {"cards": shown, "headers": []}


def stimuli(proposal):
    return [sorted(s - 100 for s in group["cards"]) for group in proposal.groups]


def test_a_single_photo_is_proposed_as_read():
    photo = reading([1, 2, 3, 4], groups={1: 1, 2: 1, 3: 2, 4: 3})
    assert stimuli(propose([(7, photo)], BLANK)) == [[1, 2], [3], [4]]


def test_overlapping_photos_are_joined():
    left, right = reading([1, 2, 3]), reading([3, 4, 5], shift=(-130, 20))
    for photos in ([(7, left), (8, right)], [(7, right), (8, left)]):
        found = propose(photos, BLANK)
        assert sorted(stimuli(found)) == [[1, 2, 3], [4, 5]]
        assert found.conflicts == []


def test_photos_without_common_cards_and_duplicate_cards_are_reported():
    found = propose([(7, reading([1, 2])), (8, reading([4, 5]))], BLANK)
    assert sorted(stimuli(found)) == [[1, 2], [4, 5]]
    assert [one.code for one in found.findings] == [findings.Code.PHOTO_APART]
    moved = reading([1, 2, 3])
    moved["cards"][2] = reading([3], shift=(0, 300))["cards"][0]
    found = propose([(7, reading([1, 2, 3])), (8, moved)], BLANK)
    assert stimuli(found) == [[1, 2]]
    assert [one.code for one in found.findings] == [findings.Code.CARD_IN_TWO_PLACES]


def test_recorded_groups_continue_and_new_ones_get_new_keys():
    photo = reading([1, 2, 3, 4, 5], groups={1: 1, 2: 1, 3: 1, 4: 2, 5: 3})
    placed = {101: "x", 102: "x", 103: "y", 109: "photo-7-2"}
    recorded = Recorded(placed, {"x": 1, "y": 2, "photo-7-2": 3})
    assert propose([(7, photo)], recorded).groups == [
        {"key": "x", "cards": [101, 102, 103], "header": None},
        {"key": "photo-7-2-again", "cards": [104], "header": None},
        {"key": "photo-7-3", "cards": [105], "header": None},
    ]


def test_the_proposal_has_the_number_of_groups_that_the_conductor_gives():
    photo = reading([1, 2, 3, 4, 5], groups=dict.fromkeys(range(1, 6), 1))
    assert stimuli(propose([(7, photo)], BLANK)) == [[1, 2, 3, 4, 5]]
    assert stimuli(propose([(7, photo)], BLANK, 2)) == [[1, 2, 3], [4, 5]]
    left, right = reading([1, 2, 3]), reading([3, 4, 5], shift=(-130, 20))
    both = [(7, left), (8, right)]
    assert stimuli(propose(both, BLANK, 1)) == [[1, 2, 3, 4, 5]]
    assert len(stimuli(propose(both, BLANK, 5))) == 5
    for photos in ([(7, photo)], both):
        with pytest.raises(PaperError, match="5 cards cannot be in 6 groups"):
            propose(photos, BLANK, 6)


def test_a_header_card_keeps_its_group_together_when_groups_are_counted():
    photo = with_headers(reading([1, 3, 4], groups={1: 1, 3: 1, 4: 2}), _2=1)
    photo["headers"][0]["place_mm"] = (CARD_MM + TABLE_MM[2]).tolist()
    assert stimuli(propose([(7, photo)], BLANK, 2)) == [[1, 3], [4]]


def test_an_unread_card_is_reported_once_with_its_nearest_group():
    left, right = reading([1, 2]), reading([2, 3, 4], shift=(-130, 20))
    hidden = CARD_MM + np.add(TABLE_MM[5], (-130, 20))
    left["unread"] = left["unread_mm"] = [(CARD_MM + TABLE_MM[3]).tolist()]
    right["unread"] = right["unread_mm"] = [hidden.tolist()]
    found = propose([(7, left), (8, right)], BLANK)
    group = next(g["key"] for g in found.groups if g["cards"] == [104])
    assert found.unread == [Unread(8, 0, group)]
    alone = propose([(7, left)], BLANK)
    assert alone.unread == [Unread(7, 0, "photo-7-1")]


@pytest.mark.parametrize("more", [[], [(8, reading([1, 2], shift=(20, 30)))]])
def test_an_unread_card_beside_a_duplicate_is_beside_its_group(more):
    """Also if the duplicate is between it and the other cards, and beside another group."""
    photo = reading([1, 2, 4], groups={1: 1, 2: 1, 4: 2})
    again = CARD_MM + TABLE_MM[3]
    unread = CARD_MM + np.add(TABLE_MM[3], (75, 0))
    photo["unread"] = photo["unread_mm"] = [unread.tolist()]
    # card 4 is somewhat farther away from the unread card
    place = np.add(unread, (100, 0)).tolist()
    photo["cards"][2] |= {"place_mm": place, "outline": place}
    photo["wrong"] = [{"code": "twice", "place_mm": again.tolist(), "group": 1}]

    def beside():
        proposed = propose([(7, photo), *more], BLANK)
        (key,) = [card.key for card in proposed.unread]
        return next((g["cards"] for g in proposed.groups if g["key"] == key), None)

    assert beside() == [101, 102]
    # alone in its group
    photo["wrong"][0]["group"] = 3
    assert beside() is None
    # as earlier versions stored it
    del photo["wrong"][0]["place_mm"]
    assert beside() == [104]


def test_an_unread_card_is_shown_on_the_photo_that_shows_it_best():
    # the first photo cuts it off
    outline = (CARD_MM + TABLE_MM[3]).tolist()
    photos = [
        (7, reading([1, 2]) | {"width": int(outline[1][0]) - 20, "height": 400}),
        (8, reading([1, 2]) | {"width": 1000, "height": 1000}),
    ]
    for _number, photo in photos:
        photo["unread"] = photo["unread_mm"] = [outline]
    (ring,) = propose(photos, BLANK).unread
    assert (ring.photo, ring.place, ring.elsewhere) == (8, 0, ((7, 0),))


def test_photos_without_cards_have_no_groups():
    assert propose([(7, {"cards": [], "headers": [], "unread": []})], BLANK).groups == []


def with_headers(photo, **beside):
    """A reading with header cards: their numbers, and the cards beside them."""
    places = [(int(name[1:]), card) for name, card in beside.items()]
    photo["headers"] += [{"number": n, "beside": card and 100 + card} for n, card in places]
    return photo


def keys(proposal):
    return {group["key"]: sorted(s - 100 for s in group["cards"]) for group in proposal.groups}


def test_header_cards_number_their_groups():
    groups = {1: 1, 2: 1, 3: 2, 4: 3}
    photo = with_headers(reading([1, 2, 3, 4], groups=groups), _9=4, _2=1)
    found = propose([(7, photo)], BLANK)
    assert [(g["key"], g["header"]) for g in found.groups] == [
        ("header-2", 2),
        ("header-9", 9),
        ("photo-7-2", None),
    ]
    assert found.conflicts == []


def test_a_header_card_on_two_overlapping_photos_numbers_one_group():
    left, right = (
        with_headers(reading([1, 2, 3]), _5=3),
        with_headers(reading([3, 4, 5], shift=(-130, 20)), _5=3),
    )
    right = with_headers(right, _6=5)
    found = propose([(7, left), (8, right)], BLANK)
    assert keys(found) == {"header-5": [1, 2, 3], "header-6": [4, 5]} and found.conflicts == []


CONFLICTS = [
    ({"_2": 1, "_3": 2}, HeaderConflict(Code.HEADERS_IN_GROUP, headers=(2, 3))),
    ({"_2": None}, HeaderConflict(Code.HEADER_ALONE, header=2)),
]


def test_conflicting_header_cards_are_ignored_and_reported():
    for beside, conflict in CONFLICTS:
        photo = with_headers(reading([1, 2, 4], groups={1: 1, 2: 1, 4: 2}), **beside)
        found = propose([(7, photo)], BLANK)
        assert keys(found) == {"photo-7-1": [1, 2], "photo-7-2": [4]}
        assert found.conflicts == [conflict]
    photo = with_headers(with_headers(reading([1, 4], groups={1: 1, 4: 2}), _2=1), _2=4)
    found = propose([(7, photo)], BLANK)
    assert keys(found) == {"photo-7-1": [1], "photo-7-2": [4]}
    assert found.conflicts == [HeaderConflict(Code.HEADER_IN_GROUPS, header=2, groups=2)]


def test_header_cards_and_recorded_groups():
    photo = with_headers(reading([1, 4], groups={1: 1, 4: 2}), _3=1)
    # recorded with another number, which it keeps
    found = propose([(7, photo)], Recorded({101: "x"}, {"x": 1}))
    assert keys(found) == {"x": [1], "photo-7-2": [4]}
    assert found.conflicts == [HeaderConflict(Code.GROUP_HAS_NUMBER, header=3, group=1)]
    # recorded by the same header card: it is continued, also with new cards
    for placed in ({101: "header-3"}, {109: "header-3"}):
        found = propose([(7, photo)], Recorded(placed, {"header-3": 3}))
        assert keys(found) == {"header-3": [1], "photo-7-2": [4]} and found.conflicts == []
    # the group with that number is elsewhere on the table
    found = propose([(7, photo)], Recorded({104: "header-3"}, {"header-3": 3}))
    assert keys(found) == {"photo-7-1": [1], "header-3": [4]}
    assert found.conflicts == [HeaderConflict(Code.HEADER_APART, header=3)]
    # the number is used by a group without a header card, and free once that is empty
    found = propose([(7, photo)], Recorded({109: "y"}, {"y": 3}))
    assert keys(found) == {"header-3": [1], "photo-7-2": [4]}
    assert found.conflicts == [HeaderConflict(Code.NUMBER_TAKEN, header=3)]
    found = propose([(7, photo)], Recorded({}, {"y": 3}))
    assert keys(found) == {"y": [1], "photo-7-2": [4]} and found.conflicts == []
