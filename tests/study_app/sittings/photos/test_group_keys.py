"""Which recorded group each group in the photos continues, and cards that stay where they are."""

from study_app.sittings.photos.group_keys import GroupKeys, Kept, Recorded, in_words

NUMBERS = {"x": 1, "y": 2}


def keys_of(cards, placed, by_hand=None):
    """The groups proposed for these cards in photo groups, and the cards that stay."""
    by_stimulus = {stimulus: key for key, stimuli in placed.items() for stimulus in stimuli}
    keys = GroupKeys(Recorded(by_stimulus, NUMBERS, by_hand or {}), cards)
    keys.continue_recorded()
    keys.open_others(7)
    kept = keys.keep()
    return {group["key"]: sorted(group["cards"]) for group in keys.proposed({})}, kept


def test_the_group_with_most_cards_of_a_recorded_group_continues_it():
    cards = {1: [1], 2: [2, 3], 3: [4]}
    assert keys_of(cards, {"x": [1, 2, 3]}) == (
        {"photo-7-1": [1], "x": [2, 3], "photo-7-3": [4]},
        [],
    )


def test_a_card_put_into_a_group_by_hand_stays_there():
    """However the photo's groups are ordered, and if only one card is left in the first group."""
    for cards in ({1: [1, 2], 2: [3, 4, 5]}, {1: [3, 4, 5], 2: [1, 2]}):
        shown = {"x": [1, 2], "y": [3, 4, 5]}
        before = {"x": [1], "y": [2, 3, 4, 5]}
        assert keys_of(cards, before) == (shown, [])
        found, kept = keys_of(cards, before, {2: "x"})
        assert found == before and kept == [Kept(2, "y", "x")]
    # it agrees with the photo, or is not on it
    assert keys_of({1: [1], 2: [2, 3]}, {"x": [1], "y": [2, 3]}, {2: "x"})[1] == []
    assert keys_of({1: [1], 2: [3]}, {"x": [1], "y": [2, 3]}, {2: "x"})[1] == []


def test_cards_split_by_hand_stay_apart_from_those_that_are_fewer():
    cards, placed = {1: [1, 2, 3]}, {"x": [1], "y": [2, 3]}
    found, kept = keys_of(cards, placed, {2: "x", 3: "x"})
    assert found == placed and kept == [Kept(2, "y", "x"), Kept(3, "y", "x")]
    # a card that others moved to the group since is moved by the photo
    found, kept = keys_of(
        {1: [1, 4], 2: [2, 3, 5]}, {"x": [1, 4, 5], "y": [2, 3]}, {2: "x", 3: "x"}
    )
    assert found == {"x": [1, 4], "y": [2, 3, 5]} and kept == []


def test_groups_merged_by_hand_stay_together():
    by_hand = dict.fromkeys([3, 4, 5], "y")
    for cards in ({1: [1, 2], 2: [3, 4, 5]}, {1: [3, 4, 5], 2: [1, 2]}):
        found, kept = keys_of(cards, {"x": [1, 2, 3, 4, 5]}, by_hand)
        assert found == {"x": [1, 2, 3, 4, 5]}
        assert [(one.stimulus, one.key, one.shown) for one in kept] == [
            (stimulus, "x", None) for stimulus in (3, 4, 5)
        ]


def test_a_group_recorded_by_hand_is_continued_like_any_other():
    placed = {"x": [1, 2, 3, 4]}
    found, kept = keys_of({1: [4], 2: [1, 2, 3, 5]}, placed, dict.fromkeys([1, 2, 3]))
    assert found == {"photo-7-1": [4], "x": [1, 2, 3, 5]} and kept == []


def test_cards_that_stay_are_said_in_one_sentence_for_each_group():
    kept = [Kept(12, "y", "x"), Kept(11, "y", "x"), Kept(13, "y", "z")]
    elsewhere = "put by hand; the photo shows"
    said = in_words(kept, {11: 1, 12: 2, 13: 3})
    assert [words for words, _cards in said] == [
        f"Cards 1, 2 stay in group {{y}}, where they were {elsewhere} them elsewhere.",
        f"Card 3 stays in group {{y}}, where it was {elsewhere} it elsewhere.",
    ]
    assert [cards for _words, cards in said] == [kept[:2], kept[2:]]
