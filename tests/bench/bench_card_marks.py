"""Whether marks near the edges of cards help to outline unread cards on white tables.

    python -m tests.bench.bench_card_marks --first 93000 --photos 10

Two groups of cards on a white table under a thing, as in `bench_hidden`, once without marks and
once with each of `MARKS` 2.5 mm inside the cut line, where scissors leave them.
"""

import argparse
from collections import Counter
from dataclasses import replace

import cv2
import numpy as np

from printables.reading.deck.known_deck import KnownDeck
from printables.reading.reader import read_photo
from tests.bench import tables
from tests.bench.bench_hidden import CARDS, MEGAPIXELS, THINGS
from tests.bench.conditions import LEVELS
from tests.bench.scenes import BLEED_MM, pointers, print_cards, score

INSIDE_MM, THICK_MM, LONG_MM = 2.5, 0.4, 8
HEADS = ("read", "unread", "outlined", "astray", "exact", "false")


def corners(face, low, px):
    """Two dark grey strokes at each corner."""
    height, width = face.shape
    for x, across in ((low, 1), (width - low, -1)):
        for y, down in ((low, 1), (height - low, -1)):
            for end in ((x + across * LONG_MM * px, y), (x, y + down * LONG_MM * px)):
                cv2.line(face, (x, y), np.round(end).astype(int).tolist(), 120, _thick(px))


def line(face, low, px):
    """A light grey line."""
    height, width = face.shape
    cv2.rectangle(face, (low, low), (width - low, height - low), 190, _thick(px))


def band(face, low, px):
    """A very light grey band up to the edge."""
    inside = face[low:-low, low:-low].copy()
    np.minimum(face, 225, out=face)
    face[low:-low, low:-low] = inside


MARKS = {"none": None, "corners": corners, "line": line, "band": band}


def _thick(px):
    return max(round(THICK_MM * px), 1)


def marked(printed, draw):
    """The cards with marks on their faces."""
    faces = {code: face.copy() for code, face in printed.bleeds.items()}
    for face in faces.values() if draw else ():
        px = face.shape[1] / (printed.deck.layout.width_mm + 2 * BLEED_MM)
        draw(face, round((BLEED_MM + INSIDE_MM) * px), px)
    return replace(printed, bleeds=faces)


def counted(printed, seed):
    """The counts of one photo."""
    rng = np.random.default_rng([seed, 5])
    thing, level = (str(rng.choice(list(names))) for names in ([*THINGS][1:], LEVELS))
    conditions = replace(LEVELS[level], grounds=("white",), face_down=0)
    scene = tables.pictured_under(printed, 2, THINGS[thing], conditions, seed)
    reading = read_photo(scene.jpeg, KnownDeck(tuple(scene.corners), printed.deck.layout))
    found, (pointed, astray) = score(scene, reading), pointers(scene, reading)
    unread = scene.in_sight() - {symbol.code for symbol in reading.symbols}
    return Counter(
        read=found.read,
        unread=len(unread),
        outlined=len(unread & pointed),
        astray=astray,
        exact=found.groups_exact,
        false=found.false,
    )


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--first", type=int, default=0, help="the first photo's seed")
    options.add_argument("--photos", type=int, default=10)
    chosen = options.parse_args()
    tables.MEGAPIXELS = MEGAPIXELS
    printed = print_cards(CARDS)
    print(f"{'marks':10}" + "".join(f"{head:>9}" for head in HEADS))
    for name, draw in MARKS.items():
        cards = marked(printed, draw)
        seeds = range(chosen.first, chosen.first + chosen.photos)
        counts = sum((counted(cards, seed) for seed in seeds), Counter())
        print(f"{name:10}" + "".join(f"{counts[head]:9}" for head in HEADS), flush=True)


if __name__ == "__main__":
    main()
