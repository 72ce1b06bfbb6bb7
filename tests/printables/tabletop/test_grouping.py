"""Cards on a table: their plane, their outlines, their groups."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from printables.cards.card import CardLayout
from printables.errors import PaperError
from printables.scenes.layout import Arrangement, arrange_groups
from printables.tabletop.doubts import close_groups
from printables.tabletop.grouping import card_outlines, group_cards, plan_table, separating_gap
from printables.tabletop.plane import map_points

CARD = np.array([[0, 0], [60, 0], [60, 40], [0, 40]], float)
LAYOUT = CardLayout(66, 46, "front")
# a tilted camera at the lower left
CAMERA = np.array([[1.4, 0.2, 300], [-0.1, 1.3, 200], [1e-4, -5e-5, 1.0]])


def row_of(*lefts):
    return np.stack([CARD + np.array([left, 0]) for left in lefts])


def symbols_on(places):
    """Corners of the cards' symbols on the table, in millimetres."""
    box = LAYOUT.symbol
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * box.width + [box.x, box.y]
    corners = []
    for place in places:
        top_left, top_right, _, bottom_left = place.outline(LAYOUT.width_mm, LAYOUT.height_mm)
        across = (top_right - top_left) / LAYOUT.width_mm
        down = (bottom_left - top_left) / LAYOUT.height_mm
        corners.append(top_left + square @ np.stack([across, down]))
    return np.array(corners)


def test_the_gap_is_in_the_best_break_by_hand():
    # 19 ln 3 = 20.9 between two groups, 14 ln 2 = 9.7 around one
    assert separating_gap(np.array([3.0, 12, 31]), 4) == 24.5
    # groups need not be 40 mm apart if their cards nearly touch
    assert separating_gap(np.array([3.0, 7, 27, 30, 34]), 6) == 22.5
    # no distance between 9 and 45: the middle of the two limits
    assert separating_gap(np.array([2.0, 9]), 4) == 31.5


def test_a_break_between_more_groups_counts_more():
    # 9 ln 8 = 18.7 and 14 ln 2 = 9.7, although the second is wider
    assert separating_gap(np.array([3.0, 12, 21, 24, 26, 28, 29, 31]), 9) == 19.5


def test_a_table_laid_as_asked_is_separated_as_asked():
    # 16 ln 4 = 22.2 and 1.5 * 15 ln 3 = 24.7, between the distances that people are asked to leave
    assert separating_gap(np.array([3.0, 9, 25, 40]), 5) == 32.5


@pytest.mark.parametrize(
    ("lefts", "groups"),
    [
        ((0, 70, 180), [1, 1, 2]),
        ((0, 85, 185), [1, 1, 2]),
        ((0,), [1]),
        ((0, 60, 120), [1, 1, 1]),
        ((180, 0, 70), [2, 1, 1]),
    ],
)
def test_groups_by_hand(lefts, groups):
    assert group_cards(row_of(*lefts)).tolist() == groups


def test_a_given_number_of_groups_cuts_the_longest_edges():
    outlines = row_of(0, 65, 140, 230)
    assert group_cards(outlines, groups=1).tolist() == [1, 1, 1, 1]
    assert group_cards(outlines, groups=2).tolist() == [1, 1, 1, 2]
    assert group_cards(outlines, groups=3).tolist() == [1, 1, 2, 3]
    assert group_cards(outlines, groups=4).tolist() == [1, 2, 3, 4]


@pytest.mark.parametrize("groups", [0, 5])
def test_an_impossible_number_of_groups_is_refused(groups):
    with pytest.raises(PaperError, match="count the groups again"):
        group_cards(row_of(0, 65, 140, 230), groups)


def test_an_unread_card_connects_its_group():
    outlines, unread = row_of(0, 140), row_of(70)
    assert group_cards(outlines).tolist() == [1, 2]
    assert group_cards(outlines, bridges=unread).tolist() == [1, 1]


def test_groups_are_numbered_in_reading_order():
    places = np.array([[500, 10], [0, 0], [250, 15], [0, 300], [250, 280]])
    outlines = np.stack([CARD + place for place in places])
    assert group_cards(outlines).tolist() == [3, 1, 2, 4, 5]


def test_no_cards_have_no_groups():
    assert group_cards(np.zeros((0, 4, 2))).tolist() == []


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**31), st.lists(st.integers(1, 9), min_size=2, max_size=6))
def test_groups_40_mm_apart_are_found_whatever_the_view(seed, sizes):
    rng = np.random.default_rng(seed)
    places = arrange_groups(sizes, (LAYOUT.width_mm, LAYOUT.height_mm), rng, Arrangement())
    seen = map_points(CAMERA, symbols_on(places))
    seen += rng.normal(0, 0.2, seen.shape)
    found = group_cards(plan_table(seen, LAYOUT).outlines)
    truth = np.array([place.group for place in places])
    assert len(set(zip(found, truth, strict=True))) == len(set(truth)) == len(set(found))


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**31), st.sampled_from([20.0, 22.0, 26.0, 30.0]))
def test_tidy_groups_closer_than_asked_are_found_or_in_doubt(seed, between_mm):
    rng = np.random.default_rng(seed)
    tidy = Arrangement(inside_mm=6.0, between_mm=between_mm)
    places = arrange_groups([5, 8, 3, 12], (LAYOUT.width_mm, LAYOUT.height_mm), rng, tidy)
    outlines = np.stack([place.outline(66, 46) for place in places])
    found, truth = group_cards(outlines), np.array([place.group for place in places])
    right = len(set(zip(found, truth, strict=True))) == len(set(truth)) == len(set(found))
    assert right or close_groups(outlines, found, outlines[:0])
    assert right or between_mm < 27


def test_a_tilted_view_gives_outlines_in_millimetres():
    rng = np.random.default_rng(3)
    places = arrange_groups([4, 5], (66, 46), rng)
    seen = map_points(CAMERA, symbols_on(places))
    plan = plan_table(seen, LAYOUT)
    edges = np.linalg.norm(np.roll(plan.outlines, -1, axis=1) - plan.outlines, axis=2)
    assert np.allclose(edges, [66, 46, 66, 46])
    true = np.stack([place.outline(66, 46) for place in places])
    assert np.abs(plan.in_photo() - map_points(CAMERA, true)).max() < 1.0


def test_outlines_follow_the_rotation_of_the_symbol():
    box = LAYOUT.symbol
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * box.width
    upright = card_outlines((square + np.array([box.x, box.y]))[None], LAYOUT)[0]
    assert np.allclose(upright, [[0, 0], [66, 0], [66, 46], [0, 46]])
    # half a turn about the symbol's own upper left corner
    turned = card_outlines(-square[None], LAYOUT)[0]
    assert np.allclose(turned[0], [box.x, box.y])


def test_one_card_is_enough_for_a_plan():
    seen = map_points(CAMERA, symbols_on(arrange_groups([1], (66, 46), np.random.default_rng(0))))
    assert plan_table(seen, LAYOUT).outlines.shape == (1, 4, 2)


@pytest.mark.parametrize("shape", [(0, 4, 2), (3, 3, 2)])
def test_corners_of_other_shapes_are_refused(shape):
    with pytest.raises(PaperError):
        plan_table(np.zeros(shape))
