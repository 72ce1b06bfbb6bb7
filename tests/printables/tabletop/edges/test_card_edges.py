"""Edges of cards in drawn top views: on dark and white tables, hidden, and of other objects."""

import cv2
import numpy as np

from printables.tabletop.edges.card_edges import covered_share, measure_paper, measure_sides
from printables.tabletop.edges.paper_view import PaperView

SIZE = (66.0, 46.0)


def box(x, y, turn=0.0, size=SIZE):
    return cv2.boxPoints(((x, y), size, turn)).astype(float)


def drawn(table, cards, shadow=None):
    """A table with white cards; with a shadow, each casts one to its lower right."""
    grey = np.full((420, 620), table, np.uint8)
    for card in cards if shadow else ():
        cv2.fillConvexPoly(grey, np.round(card + 3).astype(np.int32), shadow)
    for card in cards:
        cv2.fillConvexPoly(grey, np.round(card).astype(np.int32), 240)
    return grey


READ = [box(60 + 90 * n, 60) for n in range(6)]


def test_a_card_on_a_dark_table_has_four_edges_and_the_bare_table_has_none():
    card = box(200, 250, 20)
    view = PaperView.of(drawn(90, [*READ, card]), np.array(READ), 1.0)
    sides = measure_sides(view, np.array([card, box(400, 300)]))
    assert sides.evidence[0].min() > 0.95
    assert np.abs(sides.evidence[1]).max() < 0.05
    assert sides.shown.min() == 1


def test_the_border_of_the_photo_is_no_edge():
    grey = drawn(150, READ)
    grey[:, :200] = 0
    # between the last pixel of the photo and the first beyond, the border is interpolated
    grey[:, 200] = 80
    sides = measure_sides(PaperView.of(grey, np.array(READ[3:]), 1.0), box(234, 250)[None])
    left = sides.inward[0, :, 0].argmax()
    assert abs(sides.evidence[0, left]) < 0.05


def test_on_a_white_table_the_shadow_shows_two_edges():
    card = box(200, 250)
    view = PaperView.of(drawn(240, [*READ, card], shadow=200), np.array(READ), 1.0)
    evidence = np.sort(measure_sides(view, card[None]).evidence[0])
    assert evidence[2:].min() > 0.9
    assert np.abs(evidence[:2]).max() < 0.1
    # the shadow of a known card is not an edge of another
    assert measure_sides(view, box(60, 106.5)[None]).evidence.mean() < 0.1


def test_the_offset_of_an_edge_is_measured():
    card = box(200, 250)
    view = PaperView.of(drawn(90, [*READ, card]), np.array(READ), 1.0)
    sides = measure_sides(view, box(200, 250, size=(SIZE[0] + 4, SIZE[1]))[None])
    assert sides.evidence.min() > 0.9
    assert np.sort(sides.offset[0])[2:].min() >= 1


def test_a_side_hidden_under_known_cards_has_no_evidence():
    card = box(60, 100)
    view = PaperView.of(drawn(90, [*READ, card]), np.array(READ), 1.0)
    sides = measure_sides(view, card[None])
    hidden = sides.shown[0] < 0.01
    assert hidden.sum() == 1
    assert sides.evidence[0][hidden].max() == 0
    free, white, _ = measure_paper(view, card[None])
    assert 0.8 < free[0] < 0.95
    assert white[0] > 0.95


def test_edges_of_a_dark_object_are_not_edges_of_paper():
    grey = drawn(60, READ)
    other_object = box(300, 250)
    cv2.fillConvexPoly(grey, np.round(other_object).astype(np.int32), 110)
    view = PaperView.of(grey, np.array(READ), 1.0)
    assert measure_sides(view, other_object[None]).evidence.max() <= 0


def test_the_edge_of_a_stripe_runs_on_beyond_the_corners_and_that_of_a_card_ends_there():
    grey = drawn(90, READ)
    cv2.rectangle(grey, (0, 277), (620, 323), 240, -1)
    card = box(300, 180)
    cv2.fillConvexPoly(grey, np.round(card).astype(np.int32), 240)
    # the last card hides one end of its stripe
    hiding = box(560, 300, 90)
    view = PaperView.of(grey, np.array([*READ, hiding]), 1.0)
    stripe, hidden_end = (measure_sides(view, box(x, 300)[None]) for x in (300, 500))
    assert stripe.evidence.max() < 0.05
    assert hidden_end.evidence.max() < 0.05
    assert stripe.stretch[0] == 0
    assert measure_sides(view, card[None]).evidence.min() > 0.95


def test_a_bent_card_is_darker_at_one_end():
    card, columns = box(300, 250), np.arange(620)
    shade = np.clip(1 - (columns - 267) / 66 * 0.22, 0.78, 1)
    grey = drawn(90, READ)
    bent = np.zeros_like(grey)
    cv2.fillConvexPoly(bent, np.round(card).astype(np.int32), 240)
    grey = np.where(bent > 0, bent * shade, grey).astype(np.uint8)
    view = PaperView.of(grey, np.array(READ), 1.0)
    _, _, paper = measure_paper(view, card[None])
    dark = measure_sides(view, card[None]).inward[0, :, 0].argmin()
    assert paper[0].argmin() == dark
    assert measure_sides(view, card[None]).evidence.min() > 0.9


def test_the_share_of_a_cards_edge_that_a_sheet_as_light_as_paper_covers():
    grey = drawn(90, READ)
    grey[:75, 250:310] = 240
    known = np.array(READ)
    share = covered_share(PaperView.of(grey, known, 1.0), known)
    # over the upper right of the third card and the upper left of the fourth
    assert 0.2 < share[2] < 0.35
    assert 0.15 < share[3] < 0.3
    assert (share[[0, 1, 4, 5]] < 0.03).all()


def test_an_edge_that_touches_another_card_or_is_outside_the_photo_is_not_covered():
    touching = [*READ, box(60, 60 + 46), box(20, 300)]
    known = np.array(touching)
    assert (covered_share(PaperView.of(drawn(90, touching), known, 1.0), known) < 0.05).all()
