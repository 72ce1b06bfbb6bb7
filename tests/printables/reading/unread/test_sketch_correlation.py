"""How much unread cards look like sketches."""

import cv2
import numpy as np
import pytest

from printables.cards.card import CardLayout
from printables.reading.unread.sketch_correlation import lines_on_card, sketch_correlation

LAYOUTS = [CardLayout(), CardLayout(60.0, 85.0), CardLayout(90.0, 70.0, qr="back")]
PX_PER_MM = 5.0
# The photo is turned, and its origin is at (-40, -30) mm.
TURN_DEG = 25.0


def drawn(*lines, size=200):
    """A sketch of polylines."""
    sketch = np.full((size, size), 255, np.uint8)
    for line in lines:
        cv2.polylines(sketch, [np.array(line, np.int32)], False, 0, 3, cv2.LINE_AA)
    return sketch


SKETCHES = [
    drawn([(20, 180), (100, 20), (180, 180), (20, 180)]),
    drawn([(40, 40), (160, 40), (160, 160), (40, 160), (40, 40)]),
    drawn([(30, 30), (170, 170)], [(170, 30), (30, 170)], [(100, 20), (100, 180)]),
    drawn([(20, 60), (180, 60)], [(60, 60), (60, 180)], [(140, 60), (140, 180)]),
]


def card(sketch, layout):
    """A card without a code: its sketch as large as the area allows, at 10 pixels a millimetre."""
    face = np.full((round(layout.height_mm * 10), round(layout.width_mm * 10)), 245, np.uint8)
    area = layout.picture
    side = round(min(area.width, area.height) * 10)
    left = round((area.x + area.width / 2) * 10 - side / 2)
    top = round((area.y + area.height / 2) * 10 - side / 2)
    face[top : top + side, left : left + side] = np.minimum(
        cv2.resize(sketch, (side, side), interpolation=cv2.INTER_AREA), 245
    )
    return face


def photo_of(face, layout, angle_deg=0.0, dark=1.0):
    """A photo of a card around (0, 0) on the table, its homography to millimetres, and outline."""
    turn = np.deg2rad(TURN_DEG)
    to_table = np.array(
        [
            [np.cos(turn) / PX_PER_MM, -np.sin(turn) / PX_PER_MM, -40],
            [np.sin(turn) / PX_PER_MM, np.cos(turn) / PX_PER_MM, -60],
            [2e-5, 1e-5, 1],
        ]
    )
    half = np.array([layout.width_mm, layout.height_mm]) / 2
    onto = cv2.getRotationMatrix2D((0, 0), -angle_deg, 1.0)
    onto = np.vstack([onto, [0, 0, 1]]) @ np.array(
        [[0.1, 0, -half[0]], [0, 0.1, -half[1]], [0, 0, 1]]
    )
    size = (700, 600)
    lying = cv2.warpPerspective(
        face, np.linalg.inv(to_table) @ onto, size, borderMode=cv2.BORDER_CONSTANT, borderValue=90
    )
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
    radians = np.deg2rad(angle_deg)
    spun = np.array([[np.cos(radians), -np.sin(radians)], [np.sin(radians), np.cos(radians)]])
    return (lying * dark).astype(np.uint8), to_table, corners @ spun.T


def ranked(photo, to_table, outline, layout, sketches=SKETCHES):
    return sketch_correlation(
        photo, to_table, outline, layout, [lines_on_card(one, layout) for one in sketches]
    )


@pytest.mark.parametrize("layout", LAYOUTS, ids=str)
@pytest.mark.parametrize("which", range(len(SKETCHES)))
def test_a_card_looks_most_like_its_own_sketch(which, layout):
    found = ranked(*photo_of(card(SKETCHES[which], layout), layout), layout)
    assert found.argmax() == which and found[which] > 0.85
    assert np.sort(found)[-2] < 0.75


@pytest.mark.parametrize("angle_deg", [0, 90, 180, 270, 41])
def test_which_corner_of_the_outline_is_first_does_not_matter(angle_deg):
    layout = CardLayout()
    photo, to_table, outline = photo_of(card(SKETCHES[3], layout), layout, angle_deg)
    for first in range(4):
        found = ranked(photo, to_table, np.roll(outline, first, axis=0), layout)
        assert found.argmax() == 3 and found[3] > 0.8


def test_an_inexact_outline_and_pale_lines_in_the_dark_are_enough():
    layout = CardLayout()
    pale = np.maximum(SKETCHES[1], 190)
    photo, to_table, outline = photo_of(card(pale, layout), layout, 12, dark=0.4)
    found = ranked(photo, to_table, outline + np.array([11, -9]), layout)
    assert found.argmax() == 1 and found[1] > 0.75


def test_half_a_sketch_is_enough():
    layout = CardLayout()
    face = card(SKETCHES[0], layout)
    face[:, : round(10 * (layout.picture.x + layout.picture.width / 2))] = 90
    found = ranked(*photo_of(face, layout), layout)
    assert found.argmax() == 0


def test_a_short_line_is_not_likelier_than_half_of_a_whole_sketch():
    layout = CardLayout()
    for which in (0, 2, 3):
        face = card(SKETCHES[which], layout)
        face[:, : round(10 * (layout.picture.x + layout.picture.width / 2))] = 90
        short = [drawn([(80, 100), (120, 100)]), drawn([(100, 100), (102, 100)])]
        found = ranked(*photo_of(face, layout), layout, [*SKETCHES, *short])
        assert found.argmax() == which


def test_bare_paper_and_blank_sketches_look_like_nothing():
    layout = CardLayout()
    blank = np.full((200, 200), 255, np.uint8)
    found = ranked(*photo_of(card(blank, layout), layout), layout)
    assert (found < 0.45).all()
    photo = photo_of(card(SKETCHES[0], layout), layout)
    assert ranked(*photo, layout, [blank])[0] <= 0
    assert sketch_correlation(*photo, layout, []).shape == (0,)
