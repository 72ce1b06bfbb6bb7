"""What of a table's top view is free of the known cards, and how cards contrast with the table."""

import cv2
import numpy as np
import pytest

from printables.tabletop.edges.card_edges import measure_sides
from printables.tabletop.edges.paper_view import PaperView
from tests.printables.tabletop.edges.test_card_edges import READ, SIZE, box, drawn


def test_a_card_two_millimetres_from_a_known_one_is_in_sight_on_a_dark_table():
    card = box(60, 60 + SIZE[1] + 2)
    view = PaperView.of(drawn(90, [*READ, card]), np.array(READ), 1.0)
    sides = measure_sides(view, card[None])
    assert np.sort(sides.shown[0])[1:].min() > 0.95
    assert np.sort(sides.evidence[0])[1:].min() > 0.9


def test_the_edges_of_a_known_card_that_is_cut_larger_are_its_own():
    larger = box(60, 60, size=(SIZE[0] + 6, SIZE[1] + 6))
    view = PaperView.of(drawn(90, [larger, *READ]), np.array(READ), 1.0)
    assert not view.free[33:88, 24:97].any()
    exact = PaperView.of(drawn(90, READ), np.array(READ), 1.0)
    assert exact.free[34, 60] == exact.free[86, 60] == 255
    # nor is its real edge taken for that of a card beside it
    assert measure_sides(view, box(60, 86 + SIZE[1] / 2)[None]).evidence.mean() < 0.05


def test_on_a_table_as_light_as_paper_the_shadow_of_a_known_card_belongs_to_it():
    view = PaperView.of(drawn(240, READ, shadow=200), np.array(READ), 1.0)
    assert view.is_light
    assert not view.free[85:87, 30:94].any()
    assert view.free[34, 60] == 255
    dark = PaperView.of(drawn(90, READ), np.array(READ), 1.0)
    assert not dark.is_light
    assert dark.free[86, 60] == 255


def test_the_contrast_of_cards_depends_on_the_direction_of_their_shadow():
    view = PaperView.of(drawn(240, READ, shadow=200), np.array(READ), 1.0)
    # inward normals to the right and downwards are those of lit sides
    right, down, left, up = (view.contrast[at] for at in (0, 4, 8, 12))
    assert max(right, down) < 0.01
    assert min(left, up) > 0.1


def test_the_border_of_a_photo_is_not_free():
    grey = cv2.copyMakeBorder(drawn(90, READ)[:300, :500], 0, 120, 0, 120, cv2.BORDER_CONSTANT)
    view = PaperView.of(grey, np.array(READ[:5]), 1.0)
    assert view.free[250, 490] == 255
    assert not view.free[298:, :].any()
    assert not view.free[:, 498:].any()


def test_a_table_lighter_than_paper_is_as_much_darker_in_a_view():
    grey = drawn(252, READ, shadow=212)
    view = PaperView.of(grey, np.array(READ), 1.0)
    assert view.light[300, 300] == pytest.approx(0.95, abs=0.005)
    assert view.light[60, 60] == pytest.approx(1, abs=0.005)
    assert view.contrast.min() > 0.03
    # dark things are no paper
    cv2.rectangle(grey, (200, 200), (300, 300), 60, -1)
    assert PaperView.of(grey, np.array(READ), 1.0).light[250, 250] < 0.3
