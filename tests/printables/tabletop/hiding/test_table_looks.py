"""The looks of a table: a pattern is also elsewhere, a thing is not."""

import cv2
import numpy as np

from printables.tabletop.hiding.openings import filled
from printables.tabletop.hiding.table_looks import TableLooks
from tests.printables.tabletop.edges.test_card_edges import box

CARDS = np.array([box(20 + 160 * n, 20 + 140 * m) for n in range(6) for m in range(4)])
PLACE = (620, 340)


def flowered():
    """A light cloth with dark flowers, in colour."""
    cloth = np.full((560, 960, 3), 200, np.uint8)
    for row in range(15, 560, 40):
        for column in range(15, 960, 40):
            cv2.circle(cloth, (column, row), 9, (90, 60, 120), -1)
    return cloth


def looks(cloth):
    light = cv2.cvtColor(cloth, cv2.COLOR_BGR2GRAY).astype(np.float32) / 250
    cards = filled(light.shape, CARDS)
    return TableLooks.of(light, cloth, (1 - cards, cards), 46.0, 1.0)


def around(place):
    mask = np.zeros((560, 960), np.uint8)
    cv2.circle(mask, place, 24, 1, -1)
    return mask


def test_a_flower_of_the_cloth_is_no_thing():
    assert looks(flowered()).things(around(PLACE)).sum() == 0


def test_a_cup_and_what_has_another_colour_only_are_things():
    for colour in ((30, 30, 30), (120, 190, 255)):
        cloth = flowered()
        cv2.circle(cloth, PLACE, 24, colour, -1)
        mask = around(PLACE)
        assert looks(cloth).things(mask).sum() > 0.9 * mask.sum(), colour


def veined():
    """A table with long lines all over it."""
    table = np.full((560, 960, 3), 190, np.uint8)
    for column in range(-500, 960, 75):
        cv2.line(table, (column, 0), (column + 400, 560), (120, 120, 120), 2)
    return table


def test_edges_of_a_sheet_are_no_veins():
    sheet = np.zeros((560, 960), np.uint8)
    sheet[340:460, 500:640] = 1
    plain = np.full((560, 960, 3), 190, np.uint8)
    edge = sheet - cv2.erode(sheet, np.ones((5, 5), np.uint8))
    plain[edge > 0] = 120
    assert looks(plain).enclosed_things(sheet).sum() == sheet.sum()
    assert looks(veined()).enclosed_things(sheet).sum() == 0


def test_without_cards_elsewhere_everything_may_be_a_thing():
    cloth = flowered()
    light = cv2.cvtColor(cloth, cv2.COLOR_BGR2GRAY).astype(np.float32) / 250
    masks = (np.ones((560, 960), np.uint8), filled(light.shape, CARDS[:1]))
    mask = around((110, 90))
    assert TableLooks.of(light, cloth, masks, 46.0, 1.0).things(mask).sum() == mask.sum()
