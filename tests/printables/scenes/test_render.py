"""Rendered tables: positions of cards on the table and in the photo."""

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from printables.errors import PaperError
from printables.scenes.camera import Camera
from printables.scenes.card_on_table import CardOnTable
from printables.scenes.layout import Arrangement, Place, arrange_groups
from printables.scenes.render import render_table
from printables.scenes.view import project
from printables.tabletop.outlines import outline_distances

SHARP = Camera(megapixels=0.8, blur_px=0, noise=0, unevenness=0)
CARD = (66.0, 46.0)


def test_a_card_is_rotated_clockwise_around_its_centre():
    card = CardOnTable(np.zeros((46, 66), np.uint8), 60, 40, 100, 50, 90)
    assert np.allclose(card.outline(), [[120, 20], [120, 80], [80, 80], [80, 20]])
    assert np.allclose(Place(100, 50, 90, 0).outline(60, 40), card.outline())


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**31), st.lists(st.integers(1, 12), min_size=1, max_size=7), st.booleans())
def test_distances_within_and_between_groups(seed, sizes, any_way_up):
    habit = Arrangement(inside_mm=25, between_mm=40, any_way_up=any_way_up)
    places = arrange_groups(sizes, CARD, np.random.default_rng(seed), habit)
    groups = np.array([place.group for place in places])
    assert np.bincount(groups).tolist() == sizes
    outlines = np.stack([place.outline(*CARD) for place in places])
    first, second, apart = outline_distances(outlines)
    between = groups[first] != groups[second]
    assert (apart[between] >= 40).all()
    assert (apart > 0).all()
    for card in np.flatnonzero(np.bincount(groups)[groups] > 1):
        mine = ((first == card) | (second == card)) & ~between
        assert apart[mine].min() <= 25


def test_groups_closer_together_than_their_cards_are_refused():
    with pytest.raises(PaperError, match="further apart"):
        arrange_groups(
            [2, 2], CARD, np.random.default_rng(0), Arrangement(inside_mm=40, between_mm=40)
        )


def test_cards_are_in_the_photo_where_the_homography_maps_them():
    face = np.full((400, 600), 255, np.uint8)
    face[:200, :300] = 0
    cards = [CardOnTable(face, 60, 40, 0, 0, 30), CardOnTable(face, 60, 40, 90, 10, 200)]
    photo, to_pixels = render_table(cards, SHARP, np.random.default_rng(1))
    grey = cv2.cvtColor(photo, cv2.COLOR_BGR2GRAY)
    assert grey.shape == SHARP.size()[::-1]
    for card in cards:
        inks = project(to_pixels, card.to_table(np.array([[15, 10], [25, 18], [4, 4]])))
        papers = project(to_pixels, card.to_table(np.array([[45, 10], [15, 30], [58, 38]])))
        assert all(grey[round(y), round(x)] < 30 for x, y in inks)
        assert all(grey[round(y), round(x)] > 200 for x, y in papers)
        corners = project(to_pixels, card.outline())
        assert (corners >= 0).all()
        assert (corners <= np.array(SHARP.size()) - 1).all()


def test_the_near_edge_is_larger_for_a_tilted_camera():
    card = CardOnTable(np.full((20, 20), 255, np.uint8), 300, 300, 0, 0)
    camera = Camera(megapixels=0.8, tilt_deg=30)
    _, to_pixels = render_table([card], camera, np.random.default_rng(0))
    corners = project(to_pixels, card.outline())
    edges = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    assert edges.max() / edges.min() > 1.1


def test_the_same_seed_gives_the_same_photo():
    card = CardOnTable(np.full((46, 66), 255, np.uint8), 66, 46, 0, 0)
    photos = [render_table([card], Camera(0.3), np.random.default_rng(5))[0] for _ in range(2)]
    assert (photos[0] == photos[1]).all()


def test_an_object_covers_cards_inside_its_mask_only():
    card = CardOnTable(np.full((40, 60), 255, np.uint8), 60, 40, 0, 0)
    cut = np.zeros((20, 20), np.uint8)
    cut[:, :10] = 255
    other_object = CardOnTable(np.full((20, 20), 40, np.uint8), 20, 20, 0, 0, cut=cut)
    rng = np.random.default_rng(1)
    photo, to_pixels = render_table([card], SHARP, rng, things=[other_object])
    left, right = project(to_pixels, np.array([[-5.0, 0], [5, 0]]))
    grey = cv2.cvtColor(photo, cv2.COLOR_BGR2GRAY)
    assert grey[round(left[1]), round(left[0])] < 50
    assert grey[round(right[1]), round(right[0])] > 200
    _, without = render_table([card], SHARP, np.random.default_rng(1))
    assert (to_pixels == without).all()
