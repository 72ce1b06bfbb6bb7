"""Reasons why cards do not belong on a table, and their sentences."""

from study_app.sittings.recording import wrong_cards


def verdict(code, card, **facts):
    reason = {"code": code, "facts": {"card": card, **facts}, "stimulus": 100 + card}
    return {"refused": wrong_cards.in_words(reason), "stimulus": 100 + card, "wrong": reason}


def test_wrong_cards_in_a_frame_have_one_sentence_and_picture_a_reason():
    other = {"its_set": "car", "set": "chair", "its_deck": "B"}
    deck = {"its_deck": "B", "deck": "A"}
    seen = [verdict("other_set", card, **other) for card in (3, 4, 5)]
    seen += [{"stimulus": 7}, verdict("other_deck", 9, **deck)]
    wrong_cards.in_one_sentence(seen)
    assert {(one["refused"], one["stimulus"]) for one in seen[:3]} == {
        (
            "3 cards are of the set 'car'; this sitting is for 'chair'. Take them back to the "
            "'car' deck B.",
            103,
        )
    }
    assert seen[3] == {"stimulus": 7}
    assert seen[4]["refused"].startswith("Card 9 is of deck B") and seen[4]["stimulus"] == 109
