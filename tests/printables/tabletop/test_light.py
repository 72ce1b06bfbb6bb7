"""Illumination of a table."""

import numpy as np

from printables.tabletop.light import grey_at, medians, paper_level


def test_the_level_is_that_of_the_nearest_cards_and_white_far_away():
    view = np.full((300, 4000), 40, np.uint8)
    cards = np.array([[[x, 120], [x + 60, 120], [x + 60, 160], [x, 160]] for x in (100, 700)])
    view[120:160, 100:160], view[120:160, 700:760] = 220, 120
    level = paper_level(view, cards.astype(np.float32), density=0.4)
    assert level.shape == view.shape
    assert abs(int(level[140, 130]) - 220) < 5 and abs(int(level[140, 730]) - 120) < 5
    assert 150 < level[140, 430] < 190
    assert level[140, 3900] == 255


def test_ink_on_a_card_does_not_darken_its_paper():
    view = np.full((300, 300), 200, np.uint8)
    view[130:150, 110:140] = 10
    card = np.array([[[100, 120], [160, 120], [160, 160], [100, 160]]], np.float32)
    assert abs(int(paper_level(view, card, 0.4)[140, 130]) - 200) < 5


def test_more_boxes_are_looked_at_than_opencv_allows_rows():
    picture = np.arange(12, dtype=np.uint8).reshape(3, 4)
    places = np.tile(np.array([[[1.0]], [[2.0]]]), (1, 40_000, 3))
    assert np.array_equal(grey_at(picture, places), np.full((40_000, 3), 9))


def test_medians_leave_out_what_does_not_count():
    values = np.array([[3.0, np.nan, 1.0], [np.nan, 5.0, np.nan], [4.0, 1.0, 9.0]], np.float32)
    assert medians(values).tolist() == [2.0, 5.0, 4.0]
    assert np.isnan(medians(np.full((2, 4), np.nan))).all()
