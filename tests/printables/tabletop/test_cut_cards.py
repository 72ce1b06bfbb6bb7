"""Cards that were cut too short on one side, in drawn top views."""

import cv2
import numpy as np
import pytest

from printables.tabletop.cut_cards import cut_short
from printables.tabletop.edges.paper_view import PaperView
from tests.printables.tabletop.edges.test_card_edges import READ, box, drawn

TABLE = 90
FINGERS = [(167, 277), (228, 277), (205, 290), (228, 300), (208, 312), (228, 323), (167, 323)]


@pytest.mark.parametrize(
    ("left", "short"),
    [
        # cut 14 pixels short, straight, then askew
        ([(167, 277), (219, 277), (219, 323), (167, 323)], True),
        ([(167, 277), (221, 277), (213, 323), (167, 323)], True),
        # the tips of two fingers that are as light as the table
        (FINGERS, False),
        ([(167, 277), (233, 277), (233, 323), (167, 323)], False),
    ],
)
def test_a_card_is_cut_short_where_its_paper_ends_along_a_straight_line(left, short):
    grey = drawn(TABLE, READ)
    cv2.fillPoly(grey, [np.array(left, np.int32)], 240)
    view = PaperView.of(grey, np.array(READ), 1.0)
    assert cut_short(view, box(200, 300)[None]).tolist() == [short]
