"""Photos become groups: joined by the cards they share, going on with what is recorded."""

import numpy as np

from printables.codes import CardCode, encode
from study_app.table.proposals import propose

CARD_MM = np.array([[0, 0], [66, 0], [66, 46], [0, 46]], float)
# Where the cards lie on the table: 1 2 3 side by side, 4 5 side by side, far to the right.
TABLE_MM = {1: (0, 0), 2: (75, 0), 3: (150, 0), 4: (400, 0), 5: (475, 0)}


def reading(cards, shift=(0, 0), groups=None):
    """A kept reading of these cards, the camera having stood elsewhere."""
    shown = []
    for card in cards:
        place = CARD_MM + TABLE_MM[card] + shift
        group = 1 if groups is None else groups[card]
        shown.append(
            {
                "stimulus": 100 + card,
                "code": encode(CardCode(1, card, 1, 1)),
                "corners": place.tolist(),
                "place_mm": place.tolist(),
                "how": "decoded",
                "margin": None,
                "group": group,
            }
        )
    return {"cards": shown}


def stimuli(proposal):
    return [sorted(s - 100 for s in group["cards"]) for group in proposal.groups]


def test_one_photo_is_taken_as_it_was_read():
    photo = reading([1, 2, 3, 4], groups={1: 1, 2: 1, 3: 2, 4: 3})
    assert stimuli(propose([(7, photo)], {})) == [[1, 2], [3], [4]]


def test_overlapping_photos_are_one_table():
    left, right = reading([1, 2, 3]), reading([3, 4, 5], shift=(-130, 20))
    for photos in ([(7, left), (8, right)], [(7, right), (8, left)]):
        found = propose(photos, {})
        assert sorted(stimuli(found)) == [[1, 2, 3], [4, 5]]
        assert found.conflicts == []


def test_photos_that_share_nothing_and_cards_in_two_places_are_named():
    found = propose([(7, reading([1, 2])), (8, reading([4, 5]))], {})
    assert sorted(stimuli(found)) == [[1, 2], [4, 5]]
    assert "shares no card with the others" in found.conflicts[0]
    moved = reading([1, 2, 3])
    moved["cards"][2] = reading([3], shift=(0, 300))["cards"][0]
    found = propose([(7, reading([1, 2, 3])), (8, moved)], {})
    assert stimuli(found) == [[1, 2]]
    assert found.conflicts == ["Card 3 lies in two places: look where it is and confirm it."]


def test_a_recorded_group_goes_on_and_new_ones_get_keys_of_their_own():
    photo = reading([1, 2, 3, 4, 5], groups={1: 1, 2: 1, 3: 1, 4: 2, 5: 3})
    placed = {101: "x", 102: "x", 103: "y", 109: "photo-7-2"}
    assert propose([(7, photo)], placed).groups == [
        {"key": "x", "cards": [101, 102, 103]},
        {"key": "photo-7-2-again", "cards": [104]},
        {"key": "photo-7-3", "cards": [105]},
    ]


def test_no_card_no_group():
    assert propose([(7, {"cards": []})], {}).groups == []
