"""What would help: said where it is true, and only there."""

import json
from dataclasses import replace

import pytest

from printables.reading.advice import Sight, advise
from printables.reading.findings import Cause, Code, Finding
from printables.reading.reader import read_photo
from printables.reading.wording import in_words
from tests.bench.scenes import ORDINARY, photograph, print_cards


@pytest.mark.parametrize(
    ("facts", "code", "cause", "words"),
    [
        ((0, 0, Sight(None, 1.0)), Code.NOTHING_FOUND, None, "No card was found: lay the cards"),
        ((0, 0, Sight(None, None)), Code.NOTHING_FOUND, None, "No card was found: lay the cards"),
        ((0, 0, Sight(None, 5.0)), Code.NOTHING_FOUND, None, "and the photo is blurred"),
        ((3, 3, Sight(1.8, 0.9)), Code.CARDS_UNREAD, Cause.TOO_FAR, "only 1.8 pixels a module"),
        ((1, 1, Sight(3.0, 2.0)), Code.CARDS_UNREAD, Cause.BLURRED, "1 card was not read: the"),
        ((9, 9, Sight(1.8, 2.0)), Code.CARDS_UNREAD, Cause.BLURRED, "9 cards were not read: the"),
        ((9, 9, Sight(1.8, 2.0, True)), Code.CARDS_UNREAD, Cause.MOVED, "the phone moved"),
        ((2, 2, Sight(3.0, 0.9)), Code.CARDS_UNREAD, Cause.COVERED, "turned over, covered or cut"),
        ((2, 0, Sight(1.8, 0.9)), Code.CARDS_UNREAD, Cause.COVERED, "turned over, covered or cut"),
        ((2, 0, Sight(3.0, 0.9, over_edge=2)), Code.CARDS_UNREAD, Cause.CUT_OFF, "photo's edge"),
        ((1, 0, Sight(3.0, 0.9, bleached=1)), Code.CARDS_UNREAD, Cause.GLARE, "lies on it"),
        # 48 megapixels are always soft, and large enough
        ((2, 2, Sight(6.0, 1.8)), Code.CARDS_UNREAD, Cause.COVERED, "turned over, covered or cut"),
    ],
)
def test_advice(facts, code, cause, words):
    (finding,) = advise(*facts)
    assert (finding.code, finding.facts.get("cause")) == (code, cause)
    assert Finding.from_json(json.loads(json.dumps(finding.as_json()))) == finding
    assert words in in_words(finding)


def test_no_advice_where_all_is_well():
    assert advise(0, 0, Sight(1.2, 3.0)) == ()


@pytest.mark.parametrize(
    ("megapixels", "blur", "words"),
    [
        (6, 0.8, None),
        (0.8, 0.8, "go closer, or take two photos"),
        (3, 4.0, "the photo is blurred"),
        (3, 9.0, "No card was found, and the photo is blurred"),
    ],
)
def test_photos_too_small_and_too_blurred(megapixels, blur, words):
    camera = replace(ORDINARY, megapixels=megapixels, blur_px=blur)
    advice = read_photo(photograph(print_cards(40), 40, camera, seed=8).jpeg).advice
    if words is None:
        assert advice == ()
    else:
        assert words in advice[0]
