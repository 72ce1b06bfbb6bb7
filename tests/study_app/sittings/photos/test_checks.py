"""Points that a conductor should check on photos."""

import numpy as np
import pytest

from printables.cards.codes import CardCode, encode
from printables.reading.findings import Code, Finding
from study_app.core.database import writing
from study_app.sittings.photos import checks, proposals
from study_app.sittings.recording import events
from study_app.studies import studies
from tests.table_fixtures import ids, make_deck, make_photo, make_set, make_sitting

CARD_MM = np.array([[0, 0], [66, 0], [66, 46], [0, 46]], float)


def at(x):
    """The outline of a card at a place in a row."""
    return (CARD_MM + np.array([x, 0])).tolist()


@pytest.fixture
def study(session, study_id):
    return studies.get(session, study_id)


@pytest.fixture
def sitting(session, study):
    with writing():
        return make_sitting(session, study, make_set(session, study))


def card(sitting, number, x, group):
    """A card in a stored reading, at a position in its row."""
    outline = at(x)
    return {
        "stimulus": ids(sitting)[number],
        "code": encode(CardCode(1, number, 1, 1)),
        "corners": outline,
        "outline": outline,
        "place_mm": outline,
        "how": "decoded",
        "margin": None,
        "group": group,
    }


def photo(session, sitting, name, read, wrong=(), findings=(), unread_mm=(), hidden=()):
    placed = Finding(Code.CARDS_PLACED, {"placed": len(read), "expected": len(ids(sitting)) - 1})
    with writing():
        made = make_photo(session, sitting, name * 64)
        made.reading = {
            "cards": read,
            "headers": [],
            "wrong": list(wrong),
            "unread": list(unread_mm),
            "unread_mm": list(unread_mm),
            "hidden": list(hidden),
            "hiding": list(hidden),
            "findings": [finding.as_json() for finding in (placed, *findings)],
        }
    return made


def messages_of(session, sitting, photos, **more):
    proposed = proposals.propose_for(session, sitting, photos)
    found = checks.of_photos(session, sitting, photos, proposed, **more)
    numbers = {group["key"]: n for n, group in enumerate(proposed.groups, 1)}
    return [checks.with_numbers(check.words, numbers) for check in found], found


def cards_of(session, sitting, photos):
    """The numbers of the cards in each proposed group."""
    groups = proposals.propose_for(session, sitting, photos).groups
    return [{ids(sitting).index(stimulus) for stimulus in group["cards"]} for group in groups]


def wrong(code, stimulus=None, **facts):
    return {"code": code, "facts": facts, "stimulus": stimulus, "corners": []}


def test_cards_of_another_table_give_one_message_with_a_link(session, study, sitting):
    with writing():
        cars = make_set(session, study, "car")
        make_deck(session, cars, 2)
        there = make_sitting(session, study, cars, "P02", 2, recording=False).code
        make_sitting(session, study, cars, "P03", 1)
    facts = {"its_set": "car", "set": "chair", "its_deck": "B"}
    strange = [wrong("other_set", 7, card=5, **facts), wrong("other_set", 8, card=6, **facts)]
    taken = [
        photo(session, sitting, "a", [card(sitting, 1, 0, 1)], strange),
        # the second photo shows one of them again
        photo(session, sitting, "b", [card(sitting, 1, 0, 1)], strange[:1]),
    ]
    words, found = messages_of(session, sitting, taken)
    assert words == [
        "2 cards are of the set 'car'; this sitting is for 'chair'. "
        "Take them back to the 'car' deck B."
    ]
    assert (found[0].sitting, found[0].stimulus) == (there, 7)
    words, found = messages_of(session, sitting, taken[1:])
    assert words[0].startswith("Card 5 is of the set 'car'") and found[0].sitting is None


def test_a_card_seen_twice_is_reported_with_its_groups(session, sitting):
    again = wrong("twice_apart", ids(sitting)[1], card=1, first=1, second=2)
    read = [card(sitting, 1, 0, 1), card(sitting, 2, 70, 1), card(sitting, 3, 300, 2)]
    words, (found,) = messages_of(session, sitting, [photo(session, sitting, "a", read, [again])])
    assert words == ["Card 1 appears twice, in groups 1 and 2. Which is right?"]
    assert found.stimulus == ids(sitting)[1] and len(set(found.keys)) == 2
    # between two photos: beside card 2 in one, beside card 3 in the other
    one = photo(session, sitting, "b", [card(sitting, n, 70 * n, 1) for n in (1, 2, 4)])
    two = [card(sitting, 2, 140, 1), card(sitting, 4, 280, 1)]
    two += [card(sitting, 1, 800, 2), card(sitting, 3, 870, 2)]
    words, found = messages_of(session, sitting, [one, photo(session, sitting, "c", two)])
    assert words[0] == "Card 1 appears in two places, in groups 1 and 2: confirm the right one."
    assert found[0].stimulus == ids(sitting)[1] and len(found[0].keys) == 2


def test_messages_use_the_numbers_of_the_proposal(session, sitting):
    doubt = Finding(Code.GROUPS_UNCERTAIN, {"groups": [1, 2], "reason": "gap_unclear"})
    left = photo(session, sitting, "a", [card(sitting, n, 300 * n, n) for n in (1, 2, 3)])
    right = [card(sitting, 2, 600, 1), card(sitting, 3, 900, 2)]
    right = photo(session, sitting, "b", right, findings=[doubt])
    words, _found = messages_of(session, sitting, [left, right])
    assert words[0].startswith("Photo 2: Groups 2 and 3 may be one group")
    assert messages_of(session, sitting, [left, right], counted=True)[0] == []
    # on a photo that was taken from the other side of the table
    turned = [card(sitting, 2, 600, 2), card(sitting, 3, 900, 1)]
    turned = photo(session, sitting, "d", turned, findings=[doubt])
    words, _found = messages_of(session, sitting, [left, turned])
    assert words[0].startswith("Photo 2: Groups 2 and 3 may be one group")
    # a group that another photo shows as one is not in doubt
    together = photo(session, sitting, "c", [card(sitting, n, 300 * n, 1) for n in (2, 3)])
    assert messages_of(session, sitting, [together, right])[0][-1:] != words


def test_a_card_read_in_another_photo_is_not_reported_as_unread(session, sitting):
    unread = Finding(Code.CARDS_UNREAD, {"count": 2, "cause": "cut_off"})
    hidden = [at(140), at(900)]
    one = photo(session, sitting, "a", [card(sitting, 1, 0, 1)], (), [unread], hidden)
    assert messages_of(session, sitting, [one])[0][0].startswith("2 cards were not read")
    two = photo(session, sitting, "b", [card(sitting, 1, 0, 1), card(sitting, 2, 140, 1)])
    words, _found = messages_of(session, sitting, [one, two])
    assert [found.split(":")[1] for found in words] == [" 1 card was not read"]
    (ring,) = proposals.propose_for(session, sitting, [one, two]).unread
    assert (ring.photo, ring.place) == (one.id, 1)


def test_an_unread_card_that_most_photos_do_not_show_is_not_reported(session, sitting):
    def sized(name, **others):
        inside = (np.array(at(0)) + 200).tolist()
        read = [{**card(sitting, 1, 0, 1), "outline": inside, "corners": inside}]
        made = photo(session, sitting, name, read, **others)
        with writing():
            made.width, made.height = 1000, 800
        return made

    unread = Finding(Code.CARDS_UNREAD, {"count": 1, "cause": "cut_off"})
    place = (np.array(at(80)) + 200).tolist()
    photos = [sized("a", findings=[unread], unread_mm=[place]), sized("b"), sized("c")]
    assert len(proposals.propose_for(session, sitting, photos[:2]).unread) == 1
    assert proposals.propose_for(session, sitting, photos).unread == []
    assert messages_of(session, sitting, photos)[0] == []


def test_no_advice_about_paper_when_all_cards_are_read_or_ringed(session, sitting):
    paper = Finding(Code.PAPER_UNEXPLAINED, {"count": 1, "places": [[[0, 0]]]})
    some = [card(sitting, n, 70 * n, 1) for n in range(1, 6)]
    one = photo(session, sitting, "a", some, findings=[paper])
    assert "looks like paper" in messages_of(session, sitting, [one])[0][0]
    ringed = photo(session, sitting, "c", some, findings=[paper], unread_mm=[at(420)])
    assert messages_of(session, sitting, [ringed])[0] == []
    all_of_it = photo(session, sitting, "b", [*some, card(sitting, 6, 420, 1)], findings=[paper])
    assert messages_of(session, sitting, [all_of_it])[0] == []


def test_no_advice_about_occlusion_when_all_cards_are_read(session, sitting):
    hidden = Finding(Code.CARDS_HIDDEN, {"groups": [1, 2]})
    some = [card(sitting, n, 70 * n, 1) for n in (1, 2, 3, 4)]
    one = photo(session, sitting, "a", [*some, card(sitting, 5, 700, 2)], findings=[hidden])
    words = messages_of(session, sitting, [one])[0][0]
    assert words.startswith("Something over or beside groups 1 and 2 may hide a missing card")
    # glare on another photo is another point to check
    glare = Finding(Code.CARDS_HIDDEN, {"groups": [1], "glare": True})
    under_glare = photo(session, sitting, "d", some, findings=[glare])
    words = messages_of(session, sitting, [one, under_glare])[0]
    assert [w for w in words if w.startswith("Photo 2: A lamp's glare over or beside group 1 may")]
    assert [w for w in words if w.startswith("Photo 1: Something over or beside groups 1 and 2")]
    # another photo shows that all five are one group
    both = [photo(session, sitting, "b", [some[3], card(sitting, 5, 700, 1)]), one]
    assert "beside group 1 may" in " ".join(messages_of(session, sitting, both)[0])
    rest = photo(session, sitting, "c", [card(sitting, n, 70 * n, 1) for n in range(1, 7)])
    assert "may hide" not in " ".join(messages_of(session, sitting, [one, rest])[0])


@pytest.mark.parametrize("reason", ["paper_between", "hidden_between"])
def test_no_card_between_groups_is_suspected_when_photos_show_all_cards(session, sitting, reason):
    doubt = Finding(Code.GROUPS_UNCERTAIN, {"groups": [1, 2], "reason": reason})
    unread = Finding(Code.CARDS_UNREAD, {"count": 1, "cause": "cut_off"})
    some = [card(sitting, 1, 0, 1), card(sitting, 2, 160, 2)]
    # the edge of a card between the two groups, which it may connect
    part = [[[90, 0], [140, 0], [140, 10], [90, 10]]]
    one = photo(session, sitting, "a", some, (), [doubt, unread], part)
    more = [*some, *(card(sitting, n, 1000 + 70 * n, 3) for n in (3, 4, 5))]
    most = photo(session, sitting, "b", more)
    words = " ".join(messages_of(session, sitting, [one, most])[0])
    assert "1 card was not read" in words and "Groups 1 and 2 may be one group" in words
    assert cards_of(session, sitting, [one, most])[:2] == [{1}, {2}]
    rest = [*more, card(sitting, 6, 1420, 3)]
    all_cards = [one, photo(session, sitting, "c", rest)]
    assert messages_of(session, sitting, all_cards)[0] == []
    assert proposals.propose_for(session, sitting, all_cards).unread == []
    assert cards_of(session, sitting, all_cards) == [{1}, {2}, {3, 4, 5, 6}]


def test_a_group_is_separated_if_a_card_seen_elsewhere_connected_it(session, sitting):
    doubt = Finding(Code.GROUPS_UNCERTAIN, {"groups": [1], "reason": "unread_between"})
    some = [card(sitting, 1, 0, 1), card(sitting, 2, 160, 1)]
    one = photo(session, sitting, "a", some, findings=[doubt], unread_mm=[at(80)])
    rest = [some[1], *(card(sitting, n, 1000 + 70 * n, 2) for n in range(3, 7))]
    rest = photo(session, sitting, "b", rest)
    assert cards_of(session, sitting, [one]) == [{1, 2}]
    assert cards_of(session, sitting, [one, rest]) == [{1}, {2}, {3, 4, 5, 6}]


def test_a_card_of_another_deck_between_groups_is_a_doubt_also_of_several_photos(session, sitting):
    doubt = Finding(Code.GROUPS_UNCERTAIN, {"groups": [1, 2], "reason": "foreign_between"})
    both = [card(sitting, 1, 0, 1), card(sitting, 2, 160, 2)]
    two = photo(session, sitting, "a", both, findings=[doubt])
    rest = [both[1], *(card(sitting, n, 1000 + 70 * n, 3) for n in range(3, 7))]
    rest = photo(session, sitting, "b", rest)
    two.reading = {**two.reading, "foreign_mm": [at(80)]}
    why = "may be one group: a card that is not in this deck is between them. Check the grouping."
    words, (found,) = messages_of(session, sitting, [two])
    assert len(set(found.doubted)) == 2
    assert found.several.startswith("Some groups may be one group: %(groups)s (a card that is not")
    assert words == [f"Groups 1 and 2 {why}"]
    assert messages_of(session, sitting, [two, rest])[0] == [f"Groups 1 and 2 {why}"]
    assert cards_of(session, sitting, [two, rest]) == [{1}, {2}, {3, 4, 5, 6}]


def test_unread_cards_are_reported_of_a_photo_without_any_read_card(session, sitting):
    unread = Finding(Code.CARDS_UNREAD, {"count": 1, "cause": "cut_short"})
    one = photo(session, sitting, "a", [], (), [unread], [at(0)])
    assert messages_of(session, sitting, [one])[0][0].startswith("1 card was not read")
    (ring,) = proposals.propose_for(session, sitting, [one]).unread
    assert (ring.photo, ring.place, ring.key) == (one.id, 0, None)


def test_photos_that_all_show_no_card_give_one_message(session, sitting):
    nothing = Finding(Code.NOTHING_FOUND, {"blurred": False})
    blank = [photo(session, sitting, name, [], findings=[nothing]) for name in "ab"]
    (words,) = messages_of(session, sitting, blank)[0]
    assert words.startswith("No card was found")
    some = photo(session, sitting, "c", [card(sitting, 1, 0, 1)])
    words = messages_of(session, sitting, [*blank, some])[0]
    assert [sentence.split(":")[0] for sentence in words] == ["Photos 1 and 2"]
    # such as the frames of a video that begins beside the table
    more = [photo(session, sitting, name, [], findings=[nothing]) for name in "defgh"]
    words = messages_of(session, sitting, [*blank, more[0], some, *more[1:3]])[0]
    assert [sentence.split(":")[0] for sentence in words] == ["Photos 1–3, 5 and 6"]
    words = messages_of(session, sitting, [*blank, *more, some])[0]
    assert [sentence.split(":")[0] for sentence in words] == ["Photos 1–7"]


def test_photos_stored_with_sentences_still_show_them(session, sitting):
    old = photo(session, sitting, "a", [card(sitting, 1, 0, 1)])
    old.reading = {**old.reading, "wrong": [{"refused": "Old words.", "stimulus": None}]}
    old.reading["advice"] = ["Go closer."]
    assert messages_of(session, sitting, [old])[0] == ["Old words.", "Go closer."]


def test_several_photos_report_only_what_none_of_them_explains(session, sitting):
    """A photo's edge cuts off card 3, and an object seems to be there; another photo reads it."""
    part = [[140, 0], [160, 0], [160, 46], [140, 46]]
    paper = Finding(Code.PAPER_UNEXPLAINED, {"count": 2, "places": [part, at(-200)]})
    hidden = Finding(Code.CARDS_HIDDEN, {"groups": [1]})
    doubt = Finding(Code.GROUPS_UNCERTAIN, {"groups": [1, 2], "reason": "hidden_between"})
    left = [card(sitting, 1, 0, 1), card(sitting, 2, 70, 1), card(sitting, 5, 340, 2)]
    one = photo(session, sitting, "a", left, findings=[paper, hidden, doubt], hidden=[part])
    words = messages_of(session, sitting, [one])[0]
    assert len(words) == 3 and words[0].startswith("2 places look like paper")
    right = [card(sitting, n, 70 * n - 70, 1) for n in (2, 3)]
    same = Finding(Code.PAPER_UNEXPLAINED, {"count": 1, "places": [at(-200)]})
    two = photo(session, sitting, "b", right, findings=[same])
    (words,) = messages_of(session, sitting, [one, two])[0]
    # the second photo shows the same paper
    assert words.startswith("Photo 1: 1 place looks like paper")
    far = Finding(Code.PAPER_UNEXPLAINED, {"count": 1, "places": [at(900)]})
    two.reading = {**two.reading, "findings": [far.as_json()]}
    (words,) = messages_of(session, sitting, [one, two])[0]
    assert words.startswith("Photos 1 and 2: 2 places look like paper")
    both = proposals.propose_for(session, sitting, [one, two])
    assert [len(f.facts["places"]) for f in checks.findings_of(one, both)[1:]] == [1]


def test_places_that_may_hide_cards_on_several_photos_are_one_sentence(session, sitting):
    """Each photo shows another object or pile, and no photo reads a card there."""
    places = {1: 0, 2: 70, 3: 300, 4: 700}
    taken = []
    for name, cards, beside, x in (("a", (1, 2), 1, -90), ("b", (2, 3, 4), 4, 800)):
        read = [card(sitting, n, places[n], n) for n in cards]
        paper = Finding(Code.PAPER_UNEXPLAINED, {"count": 1, "places": [at(places[beside])]})
        found = [Finding(c, {"groups": [beside]}) for c in (Code.CARDS_HIDDEN, Code.CARDS_OVERLAID)]
        found = [paper, *found]
        taken.append(photo(session, sitting, name, read, findings=found, hidden=[at(x)]))
    _paper, words, piled = messages_of(session, sitting, taken)[0]
    assert words.startswith("Photos 1 and 2: Something over or beside groups 1 and 4 may hide")
    assert piled.startswith("Photos 1 and 2: Cards in groups 1 and 4 seem to lie on each other")


def test_the_sentence_about_unread_cards_is_given_for_each_smaller_number(session, sitting):
    unread = Finding(Code.CARDS_UNREAD, {"count": 3, "cause": "cut_off"})
    hidden = [at(140), at(600), at(900)]
    one = photo(session, sitting, "a", [card(sitting, 1, 0, 1)], (), [unread], hidden)
    (found,) = messages_of(session, sitting, [one])[1]
    assert found.photo == one.id and found.words.startswith("3 cards were not read")
    assert [words.split(":")[0] for words in found.fewer] == [
        "2 cards were not read",
        "1 card was not read",
    ]


def unseen_in(session, sitting, name, cards, count, width=1000):
    """A photo of a row of cards that says how many cards of the deck it does not show."""
    read = [card(sitting, n, 80 * n, 1) for n in cards]
    unseen = Finding(Code.CARDS_UNSEEN, {"count": count})
    taken = photo(session, sitting, name, read, findings=[unseen])
    with writing():
        taken.width, taken.height = width, 100
    return taken


def test_cards_that_are_nowhere_in_a_photo_may_be_recorded_already(session, sitting):
    one = unseen_in(session, sitting, "a", range(1, 5), 2)
    assert messages_of(session, sitting, [one])[0] == [
        "2 cards are nowhere to be seen: look for cards on top of each other or turned over."
    ]
    with writing():
        events.record(session, sitting, events.Wanted("e", "place", [("g", [ids(sitting)[5]])]))
    (words,) = messages_of(session, sitting, [one])[0]
    assert words.startswith("1 card is nowhere to be seen")


def test_a_photo_of_one_group_does_not_say_which_cards_it_does_not_show(session, sitting):
    one = unseen_in(session, sitting, "a", range(1, 5), 2)
    with writing():
        one.one_group = True
    assert messages_of(session, sitting, [one])[0] == []
