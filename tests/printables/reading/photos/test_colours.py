"""Colours of a photo in a top view of the table."""

import cv2
import numpy as np
import pytest

from printables.errors import PaperError
from printables.reading.photos import colours
from printables.reading.photos.colours import Colours
from printables.reading.photos.photo import load_colour
from printables.tabletop.edges.paper_colour import view_in_colour
from printables.tabletop.edges.paper_view import PaperView
from printables.tabletop.grouping import TablePlan
from printables.tabletop.top_view import TopView
from tests.printables.tabletop.edges.test_card_edges import READ, box, drawn

WIDTH, HEIGHT = 2000, 1500
CARD = np.array([[300, 300], [366, 300], [366, 346], [300, 346]], float)


def photo():
    """Four fields of different colours, blue, green and red, as a JPEG."""
    fields = np.zeros((2, 2, 3), np.uint8)
    fields[0, 0], fields[0, 1], fields[1, 0], fields[1, 1] = (200, 20, 20), (20, 200, 20), 90, 220
    pixels = cv2.resize(fields, (WIDTH, HEIGHT), interpolation=cv2.INTER_NEAREST)
    return pixels, cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, 95])[1].tobytes()


@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("px_per_mm", [2.0, 5.0])
def test_they_are_seen_where_the_view_shows_them(mirrored, px_per_mm):
    pixels, jpeg = photo()
    to_table = np.diag([1 / px_per_mm, 1 / px_per_mm, 1.0])
    size = int(HEIGHT / px_per_mm), int(WIDTH / px_per_mm)
    top = TopView(np.ones(size, np.uint8), np.zeros(2), 1.0)
    seen = Colours(jpeg, len(jpeg), (HEIGHT, WIDTH), mirrored).seen_in(top, to_table)
    expected = cv2.resize(pixels[:, ::-1] if mirrored else pixels, seen.shape[1::-1])
    quarter = seen.shape[0] // 4
    inside = np.s_[quarter :: 2 * quarter, quarter :: 2 * quarter]
    assert np.abs(seen[inside].astype(int) - expected[inside]).max() < 8


@pytest.mark.parametrize(("px_per_mm", "shape"), [(1.0, (375, 500, 3)), (0.5, (750, 1000, 3))])
def test_a_fine_view_has_half_the_resolution_in_colour(px_per_mm, shape):
    pixels, _ = photo()
    top = TopView(np.ones((750, 1000), np.uint8), np.zeros(2), px_per_mm)
    seen = Colours(pixels, 0, pixels.shape[:2], False).seen_in(top, np.diag([0.5, 0.5, 1.0]))
    assert seen.shape == shape


def test_they_are_decoded_once_before_they_are_asked_for(monkeypatch):
    jpeg, decoded = photo()[1], []

    def counted(*arguments):
        decoded.append(arguments)
        return load_colour(*arguments)

    monkeypatch.setattr(colours, "load_colour", counted)
    seen = Colours.begun(jpeg, len(jpeg), (HEIGHT, WIDTH))
    top = TopView(np.ones((HEIGHT, WIDTH), np.uint8), np.zeros(2), 1.0)
    for part in (top, top.halved()):
        assert seen.seen_in(part, np.eye(3)).any()
    assert len(decoded) == 1


def test_a_grey_picture_has_none():
    assert Colours.begun(np.zeros((HEIGHT, WIDTH), np.uint8), 0, (HEIGHT, WIDTH)) is None


def test_they_are_turned_round_with_the_photo():
    pixels, jpeg = photo()
    seen = Colours.begun(jpeg, len(jpeg), (HEIGHT, WIDTH)).turned(True)
    top = TopView(np.ones((HEIGHT, WIDTH), np.uint8), np.zeros(2), 1.0)
    corner = seen.seen_in(top, np.eye(3))[50, 50].astype(int)
    assert np.abs(corner - pixels[50, -50]).max() < 8


def test_an_error_is_raised_when_they_are_asked_for():
    seen = Colours.begun(b"no photo", 100, (HEIGHT, WIDTH))
    with pytest.raises(PaperError, match="is not a photo"):
        seen.seen_in(TopView(np.ones((9, 9), np.uint8), np.zeros(2), 1.0), np.eye(3))


def test_a_view_is_rectified_and_corrected_once():
    jpeg = photo()[1]
    top = TopView(np.full((HEIGHT, WIDTH), 200, np.uint8), np.zeros(2), 1.0)
    seen, read = Colours(jpeg, len(jpeg), (HEIGHT, WIDTH), False), np.array([CARD])
    assert seen.seen_in(top, np.eye(3)) is seen.seen_in(top, np.eye(3))
    paper = seen.paper_in(top, np.eye(3), read)
    assert paper is seen.paper_in(top, np.eye(3), read)
    expected = view_in_colour(top, seen.seen_in(top, np.eye(3)), read)
    assert np.array_equal(paper.light, expected.light)
    # another view, and more cards
    other = TopView(top.grey[:500], np.zeros(2), 1.0)
    assert seen.seen_in(other, np.eye(3)).shape[0] == seen.seen_in(top, np.eye(3)).shape[0] / 3
    assert (seen.paper_in(top, np.eye(3), np.array([CARD, CARD + 300])).free == 0).sum() > (
        paper.free == 0
    ).sum()


@pytest.mark.parametrize(
    ("table", "thing"),
    [((60, 60, 60), (200, 190, 60)), ((200, 190, 170), (200, 190, 170))],
    ids=["note on a dark table", "stripe of a light cloth"],
)
def test_blank_cards_are_told_from_what_has_another_colour(table, thing):
    blank, other = box(150, 250, 10), box(420, 270, 25)
    pixels = np.broadcast_to(np.uint8(table), (420, 620, 3)).copy()
    pixels[:, :310] = 40
    cv2.fillConvexPoly(pixels, np.round(other).astype(np.int32), thing)
    pixels[drawn(0, [*READ, blank]) > 0] = 220
    top = TopView(cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY), np.zeros(2), 1.0)
    read, colours = TablePlan(np.eye(3), np.array(READ)), Colours(pixels, 0, (420, 620), False)
    view = PaperView.of(top.grey, np.array(READ), 1.0)
    places = np.array([blank, other])
    assert colours.are_paper(top, read, view, places).tolist() == [True, False]
    none = TablePlan(np.eye(3), np.zeros((0, 4, 2)))
    assert colours.are_paper(top, none, view, places).all()
