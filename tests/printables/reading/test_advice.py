"""What would help: said where it is true, and only there."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from printables.reading.advice import Sight, advise
from printables.reading.reader import read_photo
from printables.reading.sharpness import edge_blur
from tests.bench.scenes import ORDINARY, photograph, print_cards


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ((0, 0, Sight(None, 1.0)), "No card was found: lay the cards"),
        ((0, 0, Sight(None, None)), "No card was found: lay the cards"),
        ((0, 0, Sight(None, 5.0)), "No card was found, and the photo is blurred"),
        ((3, 3, Sight(1.8, 0.9)), "3 cards were not read, the codes are only 1.8 pixels a module"),
        ((1, 1, Sight(3.0, 2.0)), "1 card was not read, the photo is blurred"),
        ((9, 9, Sight(1.8, 2.0)), "9 cards were not read, the photo is blurred"),
        ((2, 2, Sight(3.0, 0.9)), "turned over, covered or in a lamp's glare"),
        ((2, 0, Sight(1.8, 0.9)), "turned over, covered or in a lamp's glare"),
        # 48 megapixels are always soft, and large enough
        ((2, 2, Sight(6.0, 1.8)), "turned over, covered or in a lamp's glare"),
    ],
)
def test_advice(facts, words):
    (sentence,) = advise(*facts)
    assert words in sentence


def test_no_advice_where_all_is_well():
    assert advise(0, 0, Sight(1.2, 3.0)) == ()


@pytest.mark.parametrize("blur", [0.8, 1.5, 3.0, 6.0])
def test_the_blur_of_a_single_edge(blur):
    step = np.full((600, 800), 60, np.uint8)
    step[:, ::160] = step[::160] = 200
    step = cv2.dilate(step, np.ones((80, 80), np.uint8))
    assert edge_blur(cv2.GaussianBlur(step, (0, 0), blur)) == pytest.approx(blur, abs=0.3)


@pytest.mark.parametrize("level", [0, 128, 255])
def test_what_has_no_edges_has_no_blur(level):
    assert edge_blur(np.full((300, 400), level, np.uint8)) is None
    assert edge_blur(np.full((30, 40), level, np.uint8)) is None


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
