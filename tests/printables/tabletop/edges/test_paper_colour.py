"""Tables as light as paper become darker where their colour is another."""

import numpy as np
import pytest

from printables.tabletop.edges.card_edges import covered_share
from printables.tabletop.edges.paper_colour import (
    darken_other_colours,
    has_light_places,
    has_paper,
    view_in_colour,
)
from printables.tabletop.edges.paper_view import PaperView
from printables.tabletop.top_view import TopView
from tests.printables.tabletop.edges.test_card_edges import READ, box, drawn

UNREAD = box(300, 250, 15)
YELLOWISH, BLUISH = (0.94, 1.0, 1.03), (1.04, 1.0, 0.95)


def coloured(tint, light=(1.0, 1.0, 1.0), noise=1.5):
    """White cards on a table as light as they are of another tint, in blue, green and red, and the
    same in grey."""
    cards = drawn(0, [*READ, UNREAD]) > 0
    grey = (
        np.where(cards, 200, 200 * np.array(tint)[:, None, None]) * np.array(light)[:, None, None]
    )
    grey += np.random.default_rng(1).normal(0, noise, grey.shape)
    colour = np.clip(np.moveaxis(grey, 0, 2), 1, 255).astype(np.uint8)
    return colour, np.asarray(colour @ np.array([0.114, 0.587, 0.299]), np.uint8)


def fall(grey):
    """By how much the table around the unread card is darker than it, as a share."""
    inside, outside = grey[240:260, 290:310].mean(), grey[330:350, 290:310].mean()
    return float(1 - outside / inside)


@pytest.mark.parametrize("tint", [YELLOWISH, BLUISH])
@pytest.mark.parametrize("light", [(1.0, 1.0, 1.0), (0.6, 0.8, 1.1)])
def test_a_table_of_another_white_is_darkened_in_any_light(tint, light):
    colour, grey = coloured(tint, light)
    assert abs(fall(grey)) < 0.02
    top = TopView(grey, np.zeros(2), 1.0)
    assert fall(darken_other_colours(top, colour, np.array(READ)).grey) > 0.1


def test_half_the_resolution_is_enough():
    colour, grey = coloured(YELLOWISH)
    top = TopView(grey, np.zeros(2), 1.0)
    assert fall(darken_other_colours(top, colour[::2, ::2], np.array(READ)).grey) > 0.1


def test_a_shadow_and_a_table_of_the_same_white_stay_as_they_are():
    colour, grey = coloured((1.0, 1.0, 1.0))
    colour[300:], grey[300:] = colour[300:] * 0.6, grey[300:] * 0.6
    top = TopView(grey, np.zeros(2), 1.0)
    after = darken_other_colours(top, colour, np.array(READ)).grey
    assert after[:295].mean() == pytest.approx(grey[:295].mean(), rel=0.01)
    assert after[305:].mean() == pytest.approx(grey[305:].mean(), rel=0.03)


def test_places_outside_the_photo_stay_unknown():
    colour, grey = coloured(YELLOWISH)
    grey[:, :20], colour[:, :20] = 0, 0
    after = darken_other_colours(TopView(grey, np.zeros(2), 1.0), colour, np.array(READ)).grey
    assert ((after == 0) == (grey == 0)).all()


@pytest.mark.parametrize(("table", "light"), [(40, False), (190, True)])
def test_only_tables_with_light_places_need_colours(table, light):
    view = PaperView.of(drawn(table, READ), np.array(READ), 1.0)
    assert has_light_places(view) == light


def test_paper_is_told_from_a_table_of_another_white_also_below_a_hand():
    colour, grey = coloured(YELLOWISH)
    colour[230:270, 320:340], grey[230:270, 320:340] = (90, 120, 180), 130
    before = TopView(grey, np.zeros(2), 1.0)
    after = darken_other_colours(before, colour, np.array(READ))
    view = PaperView.of(after.grey, np.array(READ), 1.0)
    boxes = np.array([UNREAD, box(480, 330, 40)])
    assert has_paper(before, after, view, boxes).tolist() == [True, False]


def test_light_without_a_channel_darkens_the_table_rather_than_paper():
    colour, grey = coloured(YELLOWISH)
    colour[:, :, 0] = 0
    after = darken_other_colours(TopView(grey, np.zeros(2), 1.0), colour, np.array(READ)).grey
    assert after[240:260, 290:310].mean() == pytest.approx(grey[240:260, 290:310].mean(), rel=0.04)
    assert fall(after) > 0.05


@pytest.mark.parametrize("lights", [(0, 0.45, 1.0), (0, 1.0, 0)])
def test_noise_of_channels_that_the_light_does_not_have_is_not_taken_for_colour(lights):
    _, grey = coloured((1.0, 1.0, 1.0))
    # a JPEG has some of every channel
    noise = np.random.default_rng(2).integers(0, 5, (*grey.shape, 3))
    colour = np.clip(grey[..., None] * np.array(lights) + noise, 0, 255).astype(np.uint8)
    before = TopView(grey, np.zeros(2), 1.0)
    after = darken_other_colours(before, colour, np.array(READ)).grey
    assert after.mean() == pytest.approx(grey.mean(), rel=0.01)


def test_edges_of_cards_on_a_table_as_light_as_paper_are_in_sight_in_colour():
    colour, grey = coloured(YELLOWISH, noise=0.5)
    top, cards = TopView(grey, np.zeros(2), 1.0), np.array(READ)
    assert covered_share(PaperView.of(grey, cards, 1.0), cards).max() > 0.1
    assert covered_share(view_in_colour(top, colour, cards), cards).max() < 0.05
