"""Photos become groups: joined by the cards they share, going on with what is recorded."""

from hypothesis import given
from hypothesis import strategies as st

from study_app.proposals import join, propose

photos = st.lists(st.dictionaries(st.integers(1, 12), st.integers(1, 3), max_size=8), max_size=4)


def reading(groups):
    return {"cards": [{"stimulus": s, "group": g} for s, g in groups.items()]}


def test_overlapping_photos_worked_by_hand():
    left, right = {1: 1, 2: 1, 3: 2}, {3: 1, 4: 1, 5: 2}
    assert join([left, right]) == [[1, 2], [3, 4], [5]]
    assert join([left, right, {2: 1, 5: 1}]) == [[1, 2, 5], [3, 4]]


@given(photos)
def test_every_card_is_in_one_group_and_no_photo_is_torn(photos):
    groups = join(photos)
    cards = [card for group in groups for card in group]
    assert sorted(cards) == sorted(set().union(*photos))
    place = {card: at for at, group in enumerate(groups) for card in group}
    for photo in photos:
        for a in photo:
            for b in photo:
                if photo[a] == photo[b]:
                    assert place[a] == place[b]


@given(photos)
def test_the_order_of_the_photos_does_not_matter(photos):
    assert {frozenset(g) for g in join(photos)} == {frozenset(g) for g in join(photos[::-1])}


def test_a_recorded_group_goes_on_and_new_ones_get_keys_of_their_own():
    photos = [(7, reading({1: 1, 2: 1, 3: 1, 4: 2, 5: 3, 6: 3}))]
    placed = {1: "x", 2: "x", 3: "y", 5: "x", 9: "photo-7-2"}
    assert propose(photos, placed) == [
        {"key": "x", "cards": [1, 2, 3]},
        {"key": "photo-7-2-again", "cards": [4]},
        {"key": "photo-7-3", "cards": [5, 6]},
    ]
