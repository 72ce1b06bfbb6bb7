"""Rectangles of edges on the coarse picture."""

import cv2
import numpy as np
import pytest

from printables.tabletop.card_edges import PaperView
from printables.tabletop.coarse_search import rectangles_of_edges
from tests.printables.tabletop.test_card_edges import box


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
