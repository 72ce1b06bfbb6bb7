"""Registration of two views of a table."""

import numpy as np

from printables.tabletop.registration import SimilarityTransform

CARD = np.array([[0, 0], [60, 0], [60, 40], [0, 40]], float)
PLACES = np.array([[0, 0], [80, 5], [300, -40], [10, 220], [400, 400]], float)
OUTLINES = CARD + PLACES[:, None]


def seen(turn_deg, scale, shift):
    """The outlines in another view."""
    turn = np.deg2rad(turn_deg)
    spin = scale * np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    return OUTLINES @ spin.T + shift


def test_rotation_scale_and_translation_are_recovered():
    for turn, scale, shift in ((0, 1, (0, 0)), (90, 1, (500, 0)), (-160, 1.05, (-30, 900))):
        there = seen(turn, scale, shift)
        assert np.allclose(SimilarityTransform.estimate(there, OUTLINES)(there), OUTLINES)


def test_a_card_that_was_moved_does_not_affect_the_transform():
    there = seen(35, 1, (100, 100))
    there[4] += [300, -200]
    assert np.allclose(SimilarityTransform.estimate(there, OUTLINES)(there[:4]), OUTLINES[:4])


def test_without_a_shared_card_the_transform_is_the_identity():
    none = np.zeros((0, 4, 2))
    assert np.array_equal(SimilarityTransform.estimate(none, none)(CARD), CARD)
