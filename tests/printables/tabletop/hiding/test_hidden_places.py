"""Places where a card may be hidden: under cups and sleeves, but not pens or a cloth's pattern."""

import cv2
import numpy as np
import pytest

from printables.tabletop.hiding.hidden_places import (
    CloserLook,
    find_hidden_places,
    mostly_hidden_groups,
)
from printables.tabletop.top_view import TopView
from tests.printables.tabletop.edges.test_card_edges import box

READ = np.array([box(60 + 90 * n, 60 + 80 * m) for n in range(6) for m in range(3)])
NONE, ALL = np.zeros((0, 4, 2)), np.ones(len(READ), bool)


def table(pattern):
    grey = np.full((420, 620), 120, np.uint8)
    if pattern:
        grey[:, np.arange(620) // 20 % 2 == 0] = 60
    for card in READ:
        cv2.fillConvexPoly(grey, np.round(card).astype(np.int32), 240)
    return grey


def hidden(grey):
    return find_hidden_places(TopView(grey, np.zeros(2), 1.0), READ, NONE, 46.0, ALL)


@pytest.mark.parametrize("pattern", [False, True])
def test_the_table_and_a_pen_hide_nothing(pattern):
    grey = table(pattern)
    assert hidden(grey).squares.shape == (0, 4, 2)
    cv2.line(grey, (120, 300), (320, 330), 25, 9)
    assert len(hidden(grey).squares) == 0


def test_a_cup_hides_a_place():
    grey = table(False)
    cv2.circle(grey, (450, 310), 32, 180, -1)
    middles = hidden(grey).squares.mean(1)
    assert 4 <= len(middles) <= 12
    assert np.linalg.norm(middles - [450, 310], axis=1).max() < 40


def test_only_its_colour_shows_a_sheet_as_light_as_a_patterned_table():
    grey = table(True)
    colour = cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR)
    colour[275:345, 400:500] = np.round(grey[275:345, 400:500, None] * [0.8, 1.2, 1.0])
    top, seen = TopView(grey, np.zeros(2), 1.0), []

    def colours(view):
        seen.append(view)
        return colour

    found = find_hidden_places(top, READ, NONE, 46.0, ALL, CloserLook(colours))
    assert len(found.wide)
    assert np.abs(found.squares.mean(1) - [450, 310]).max(0).tolist() <= [60, 45]
    plain = TopView(table(False), np.zeros(2), 1.0)
    assert len(find_hidden_places(plain, READ, NONE, 46.0, ALL, CloserLook(colours)).squares) == 0
    assert len(seen) == 1


def test_a_lamps_reflection_that_takes_a_patterned_tables_colour_is_no_thing():
    grey = table(True)
    rows, columns = np.mgrid[:420, :620]
    glow = np.exp(-((columns - 450) ** 2 + (rows - 310) ** 2) / (2 * 45.0**2))
    sharp = (glow > 0.5).astype(float)
    found = []
    for without in (glow, sharp):
        tint = 1 + (1 - without)[..., None] * [-0.3, 0, 0.3]
        colour = np.clip(grey[..., None] * tint, 0, 255).astype(np.uint8)
        top, closer = TopView(grey, np.zeros(2), 1.0), CloserLook(lambda _view, seen=colour: seen)
        found.append(len(find_hidden_places(top, READ, NONE, 46.0, ALL, closer).squares))
    assert found[0] == 0 < found[1]


def test_light_without_edges_hides_nothing_unless_it_is_too_bright():
    rows, columns = np.mgrid[:420, :620]
    glow = np.exp(-((columns - 450) ** 2 + (rows - 310) ** 2) / (2 * 45.0**2))
    lit = [np.clip(table(False) + most * glow, 0, 255).astype(np.uint8) for most in (-70, 60, 160)]
    shadow, lamp, glare = (len(hidden(grey).squares) for grey in lit)
    assert (shadow, lamp) == (0, 0)
    assert glare > 0
    # the same difference with an edge
    lit[1][glow < 0.5] = table(False)[glow < 0.5]
    assert len(hidden(lit[1]).squares) > 0


def test_a_sleeve_over_most_cards_is_no_table():
    grey = table(False)
    cv2.fillConvexPoly(grey, np.array([[0, 85], [620, 85], [620, 335], [0, 335]]), 60)
    covered = (READ[:, :, 1] > 85).any(1)
    top = TopView(grey, np.zeros(2), 1.0)
    middles = find_hidden_places(top, READ, NONE, 46.0, ~covered).squares.mean(1)
    assert len(middles) > 100
    assert ((middles[:, 1] > 80) & (middles[:, 1] < 340)).all()


def test_without_a_read_card_no_place_is_reported():
    top = TopView(table(False), np.zeros(2), 1.0)
    assert len(find_hidden_places(top, NONE, READ, 46.0, np.ones(0, bool)).squares) == 0


def test_far_from_all_cards_no_place_is_reported():
    grey = np.full((420, 1200), 120, np.uint8)
    grey[:, :620] = table(False)
    cv2.circle(grey, (1000, 200), 40, 180, -1)
    assert len(hidden(grey).squares) == 0


def test_a_coin_hides_no_whole_card_and_a_sleeve_of_any_tone_does():
    grey = table(False)
    cv2.circle(grey, (450, 310), 14, 180, -1)
    assert len(hidden(grey).wide) == 0
    for tone in (60, 117):
        grey = table(False)
        cv2.line(grey, (150, 300), (520, 330), 95, 84)
        cv2.line(grey, (150, 300), (520, 330), tone, 80)
        middles = hidden(grey).wide.mean(1)
        assert len(middles) > 40
        assert np.abs(middles[:, 1] - 315).max() < 60


def test_an_object_as_light_as_the_grain_but_smoother_hides_a_place():
    rng = np.random.default_rng(1)
    grain = cv2.GaussianBlur(rng.normal(0, 60, (420, 620)), (0, 0), sigmaX=1, sigmaY=6)
    grey = np.clip(120 + grain, 20, 200).astype(np.uint8)
    smooth = cv2.circle(grey.copy(), (450, 330), 40, 120, -1)
    for picture in (grey, smooth):
        for card in READ:
            cv2.fillConvexPoly(picture, np.round(card).astype(np.int32), 240)
    assert len(hidden(grey).squares) == 0
    middles = hidden(smooth).squares.mean(1)
    assert len(middles) >= 4
    assert np.linalg.norm(middles - [450, 330], axis=1).max() < 60


def test_an_object_over_a_cards_edge_is_as_wide_as_both_its_parts():
    grey = table(False)
    cv2.circle(grey, (450, 260), 36, 180, -1)
    assert len(hidden(grey).wide) > 0


def test_stripes_in_other_tones_than_those_of_the_cloth_hide_a_place():
    grey, other_object = table(True), np.zeros((420, 620), np.uint8)
    cv2.circle(other_object, (450, 330), 40, 1, -1)
    other = np.where(np.arange(620) // 20 % 2 == 0, 45, 150).astype(np.uint8)
    grey = np.where(other_object > 0, other, grey)
    middles = hidden(grey).squares.mean(1)
    assert 6 <= len(middles) <= 16
    assert np.linalg.norm(middles - [450, 330], axis=1).max() < 50


@pytest.mark.parametrize(
    ("beside", "missing", "expected"),
    [
        ([1], 7, [1, 2, 3]),
        ([1, 2], 7, [1, 2]),
        ([1], 3, []),
        ([1, 2, 3], 3, [2, 3]),
        ([1, 2], 3, []),
        ([1], 30, []),
        ([], 7, []),
    ],
)
def test_groups_of_which_a_thing_may_hide_most_cards(beside, missing, expected):
    labels = np.array([1, 1, 1, 1, 2, 2, 3])
    assert mostly_hidden_groups(labels, beside, missing) == expected


def test_a_single_group_is_in_no_doubt_if_a_thing_hides_most_of_its_cards():
    assert mostly_hidden_groups(np.ones(4, int), [1], 7) == []


def closely(grey, in_doubt=lambda *_found: True):
    top = TopView(grey, np.zeros(2), 1.0)
    closer = CloserLook(lambda top: cv2.cvtColor(top.grey, cv2.COLOR_GRAY2BGR), in_doubt)
    return find_hidden_places(top, READ, NONE, 46.0, ALL, closer)


def test_at_a_closer_look_a_whole_card_must_fit_below_a_thing():
    small, large = table(False), table(False)
    cv2.circle(small, (450, 310), 32, 180, -1)
    cv2.rectangle(large, (400, 275), (500, 365), 180, -1)
    assert len(hidden(small).wide)
    found = closely(small)
    assert len(found.squares) and not len(found.wide)
    found = closely(large)
    assert len(found.wide) and found.beyond_mm < hidden(large).beyond_mm


@pytest.mark.parametrize("pattern", [False, True])
def test_a_mug_nearly_as_wide_as_a_cards_diagonal_hides_a_card(pattern):
    grey = table(pattern)
    # on a cloth, it is as light as the cloth on the whole
    cv2.circle(grey, (450, 315), 38, 90 if pattern else 180, -1)
    assert len(closely(grey).wide)


def test_places_are_only_looked_at_closely_if_they_leave_groups_in_doubt():
    grey = table(False)
    cv2.circle(grey, (450, 310), 32, 180, -1)
    asked = []
    found = closely(grey, lambda *found: asked.append(found))
    assert len(found.wide)
    [(places, beyond)] = asked
    assert (places == found.wide).all() and beyond == found.beyond_mm
