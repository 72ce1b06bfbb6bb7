"""Rectangles of edges on the coarse picture."""

import cv2
import numpy as np
import pytest

from printables.tabletop.edges.coarse_search import rectangles_of_edges
from printables.tabletop.edges.paper_view import PaperView
from tests.printables.tabletop.edges.test_card_edges import box


@pytest.mark.parametrize("size", [(66, 46), (300, 200), (600, 420), (800, 560)])
def test_cards_of_all_sizes_are_found(size):
    long, short = size
    read = box(0.7 * long, 0.7 * short, 0, size)
    card = box(2.1 * long, 1.9 * short, 0, size)
    grey = np.full((3 * short, 3 * long), 90, np.uint8)
    for paper in (read, card):
        cv2.fillConvexPoly(grey, np.round(paper).astype(np.int32), 240)
    view = PaperView.of(grey, read[None], 1.0)
    boxes = rectangles_of_edges(view, np.array(size, float), 1.0, 1)
    assert np.abs(boxes[0].mean(0) - card.mean(0)).max() < 0.03 * long


@pytest.mark.parametrize("turn", [10, 22, 45])
def test_a_card_on_stripes_comes_before_the_stripes(turn):
    grey = np.full((420, 620), 90, np.uint8)
    for top in range(20, 420, 90):
        grey[top : top + 46] = 240
    read = np.array([box(60 + 90 * n, 60) for n in range(6)])
    card = box(300, 276, turn)
    for paper in (*read, card):
        cv2.fillConvexPoly(grey, np.round(paper).astype(np.int32), 240)
    view = PaperView.of(grey, read, 1.0)
    # the stripes have 270 other places, and edges as long as those of a card
    boxes = rectangles_of_edges(view, np.array([66.0, 46.0]), 1.0, 8)
    assert np.abs(boxes.mean(1) - card.mean(0)).max(1).min() < 4
