"""Good and bad photos of tables for "How to photograph": `python -m tests.docs.example_photos`.

Each is rendered, read with the deck, and drawn with what was read. The test reads them anew, so
that the pages show what the reader does today.
"""

from dataclasses import dataclass, replace

import cv2
import numpy as np

from printables.reading.overlay import draw_overlay
from printables.reading.reader import read_photo
from printables.scenes.camera import Camera
from printables.scenes.layout import Arrangement, arrange_groups
from printables.scenes.render import frame_of, shoot
from printables.scenes.view import look_at
from tests.bench.scenes import as_jpeg, lay, print_cards
from tests.conftest import PROJECT

DOCS = PROJECT / "docs" / "images"
PAGE = PROJECT / "study_app" / "web" / "static" / "sittings" / "photographing"
SIZES = (7, 5, 6, 4)
SHOWN = (440, 330)
QUALITY = 72


@dataclass(frozen=True)
class Example:
    """A table of 22 cards and how it is photographed.

    `beyond` is how much more of the table than the cards the photo shows, in sizes of the table
    with cards; `part` is the share of the photo that the page shows.
    """

    camera: Camera
    arrangement: Arrangement
    beyond: float = 0.0
    covered: bool = False
    part: float = 1.0
    seed: int = 5


PHONE = Camera(megapixels=3, tilt_deg=12, noise=2)
APART = Arrangement(inside_mm=15, between_mm=60)
EXAMPLES = {
    "good": Example(PHONE, APART),
    "too-far": Example(PHONE, APART, beyond=3.6),
    "moved": Example(replace(PHONE, motion_px=15), APART, part=0.4),
    "glare": Example(replace(PHONE, glare=1.0), APART, seed=11),
    "near-groups": Example(PHONE, Arrangement(inside_mm=10, between_mm=12)),
    "covered": Example(PHONE, APART, covered=True),
}


def taken(example):
    """The photo, its cards' groups, and its reading."""
    printed, rng = print_cards(40), np.random.default_rng(example.seed)
    size = (printed.deck.layout.width_mm, printed.deck.layout.height_mm)
    laid = lay(printed, arrange_groups(list(SIZES), size, rng, example.arrangement), rng)
    cards = _covered(laid.cards) if example.covered else laid.cards
    low, high = frame_of(laid.cards)
    more = example.beyond * (high - low) / 2
    view = look_at(np.stack([low - more, high + more]), example.camera, rng)
    photo = shoot(cards, example.camera, view, rng).photo
    reading = read_photo(as_jpeg(photo, 90), printed.deck)
    return photo, dict(zip(laid.codes, laid.groups, strict=True)), reading


def _covered(cards):
    """Each sixth card is pushed over the code of the one before it."""
    pushed = list(cards)
    for n in range(1, len(cards), 6):
        under = pushed[n - 1]
        turn = np.deg2rad(under.angle_deg)
        away = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]) @ [18, 9]
        pushed[n] = replace(pushed[n], x_mm=under.x_mm + away[0], y_mm=under.y_mm + away[1])
    return pushed


def shown(photo, reading, part=1.0):
    """The picture on the page: the photo, or its middle, with what was read."""
    drawn = draw_overlay(cv2.cvtColor(photo, cv2.COLOR_BGR2RGB), reading)
    height, width = drawn.shape[:2]
    down, across = round(height * (1 - part) / 2), round(width * (1 - part) / 2)
    middle = drawn[down : height - down, across : width - across]
    return cv2.resize(middle, SHOWN, interpolation=cv2.INTER_AREA)


def main():
    """Write all pictures, for the documentation and for the recording page."""
    PAGE.mkdir(exist_ok=True)
    for name, example in EXAMPLES.items():
        photo, _, reading = taken(example)
        picture = as_jpeg(shown(photo, reading, example.part), QUALITY)
        (DOCS / f"photo-{name}.jpg").write_bytes(picture)
        (PAGE / f"{name}.jpg").write_bytes(picture)
        advice = "; ".join(reading.advice)
        print(f"{name}: {len(reading.symbols)} in {reading.groups} groups. {advice}")


if __name__ == "__main__":
    main()
