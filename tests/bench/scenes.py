"""Photos of our own printed cards, with the truth about them: what the reader is measured on.

The cards are cut from the pages that poppler renders of the PDF, by the manifest;
`printables.scenes.render` lays them on a table and photographs it. `photograph` and `take` make
clean tables; `tests.bench.tables.pictured(print_cards(300), 60, LEVELS["careless"], seed)` makes
tables as people leave them, photographed as phones do.
"""

import json
import shutil
import subprocess
import tempfile
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np

from printables.artwork.pictures import Strokes
from printables.cards.card import CardLayout
from printables.cards.codes import MODULES
from printables.reading.deck.known_deck import KnownDeck
from printables.scenes.camera import Camera
from printables.scenes.card_on_table import CardOnTable
from printables.scenes.layout import Arrangement, arrange_groups
from printables.scenes.render import render_table
from printables.scenes.view import project
from printables.sheets.face import SetOfCards
from printables.sheets.pdf import draw_pages
from printables.sheets.sheet import SheetLayout, impose, manifest_rows
from tests.conftest import PROJECT, need

DPI = 300
MM = 25.4
BLEED_MM = 5.0
VISIBLE = 0.97
IN_SIGHT = 0.2

ORDINARY = Camera(megapixels=12)
LARGE = Camera(megapixels=48, blur_px=1.6)
HARD = Camera(
    megapixels=12,
    tilt_deg=30,
    blur_px=1.0,
    noise=5,
    unevenness=0.5,
    motion_px=3,
    shadow=0.55,
    glare=0.75,
)


@dataclass(frozen=True)
class PrintedCards:
    """A printed deck: what is known of it, and how each card looks.

    `bleeds` show `BLEED_MM` more of the sheet on each side than `faces`, for cutting by hand.
    """

    deck: KnownDeck
    faces: dict[str, np.ndarray]
    bleeds: dict[str, np.ndarray]


@dataclass(frozen=True)
class Scene:
    """A photo as a phone stores it, and the truth about it.

    `corners` of each code's symbol and `outlines` of its card are pixels; `groups` count from 0.
    All cards are there, also those that cannot be read: `symbol_seen` says which share of a symbol
    the photo shows, and `paper_seen` which share of a card; a code that they lack is all in sight.
    """

    jpeg: bytes
    corners: dict[str, np.ndarray]
    groups: dict[str, int]
    outlines: dict[str, np.ndarray]
    symbol_seen: dict[str, float] = field(default_factory=dict)
    paper_seen: dict[str, float] = field(default_factory=dict)

    def visible(self):
        """Codes whose symbols are in sight, which a reader can be asked for."""
        return {code for code in self.corners if self.symbol_seen.get(code, 1.0) >= VISIBLE}

    def in_sight(self, least=IN_SIGHT):
        """Codes of the cards of which at least a share is in sight, face up or down."""
        return {code for code in self.outlines if self.paper_seen.get(code, 1.0) >= least}

    def module_px(self):
        """Median size of a module in the photo."""
        sides = [np.linalg.norm(q[0] - q[2]) / 2**0.5 for q in self.corners.values()]
        return float(np.median(sides)) / MODULES


@dataclass(frozen=True)
class Score:
    """How a reading compares with the truth; `cards` are those whose symbols are in sight."""

    cards: int
    read: int
    false: int
    groups_exact: bool


def sketches(count):
    """Real sketches where the shared data is there, scribbles otherwise."""
    folder = PROJECT.parent / "shared" / "data" / "sketches" / "geometric_hds"
    files = sorted(folder.glob("*.ndjson"))
    lines = [line for file in files for line in file.read_text("utf-8").splitlines()][:count]
    drawn = [Strokes.from_quickdraw(json.loads(line)["drawing"], 512) for line in lines]
    rng = np.random.default_rng(7)
    while len(drawn) < count:
        walk = np.clip(np.cumsum(rng.normal(0, 40, (12, 2)), 0) + 256, 10, 500)
        drawn.append(Strokes((tuple(map(tuple, walk.tolist())),), 512.0))
    return drawn


@lru_cache(maxsize=4)
def print_cards(count, layout=None, set_number=12, deck=1):
    """Print cards and look at the pages."""
    need(shutil.which("pdftoppm"), "pdftoppm (poppler-utils) is not installed")
    layout = layout or CardLayout()
    stimuli = tuple((n, f"s{n}", sketch) for n, sketch in enumerate(sketches(count), 1))
    cards = SetOfCards(set_number, "chairs", stimuli).deck(deck)
    pages = impose([cards], SheetLayout(layout))
    faces, bleeds = {}, {}
    more = round(BLEED_MM * DPI / MM)
    with tempfile.TemporaryDirectory() as folder:
        draw_pages(pages, Path(folder) / "cards.pdf")
        pdf = [f"{folder}/cards.pdf", f"{folder}/page"]
        subprocess.run(["pdftoppm", "-r", str(DPI), "-gray", *pdf], check=True)
        seen = [
            np.pad(cv2.imread(str(p), 0), more, constant_values=255)
            for p in sorted(Path(folder).glob("page-*.pgm"))
        ]
    for row in manifest_rows(pages):
        left, top = round(row.x_mm * DPI / MM), round(row.y_mm * DPI / MM)
        width, height = round(row.width_mm * DPI / MM), round(row.height_mm * DPI / MM)
        bleed = seen[row.page - 1][top : top + height + 2 * more, left : left + width + 2 * more]
        bleeds[row.code], faces[row.code] = bleed, bleed[more:-more, more:-more]
    return PrintedCards(KnownDeck.from_manifest(manifest_rows(pages)), faces, bleeds)


@dataclass(frozen=True)
class Laid:
    """Cards as they lie, with their codes and groups."""

    layout: CardLayout
    codes: list[str]
    groups: list[int]
    cards: list[CardOnTable]


def lay(printed, places, rng):
    """Some of the cards, in places."""
    layout = printed.deck.layout
    codes = rng.permutation(printed.deck.codes)[: len(places)].tolist()
    size = (layout.width_mm, layout.height_mm)
    cards = [
        CardOnTable(printed.faces[code], *size, place.x_mm, place.y_mm, place.angle_deg)
        for code, place in zip(codes, places, strict=True)
    ]
    return Laid(layout, codes, [place.group for place in places], cards)


def photograph(printed, count, camera, seed, arrangement=None, ground="wood"):
    """A table with `count` of the cards in groups of random sizes, laid in rows."""
    rng = np.random.default_rng(seed)
    groups = max(2, round(count / 12))
    cuts = np.sort(rng.choice(np.arange(1, count), groups - 1, replace=False))
    sizes = np.diff([0, *cuts, count]).tolist()
    card_mm = (printed.deck.layout.width_mm, printed.deck.layout.height_mm)
    laid = lay(printed, arrange_groups(sizes, card_mm, rng, arrangement or Arrangement()), rng)
    return take(laid, camera, rng, ground)


def take(laid, camera, rng, ground="wood", things=()):
    """Photograph what lies there."""
    photo, to_pixels = render_table(laid.cards, camera, rng, ground, things=things)
    box = laid.layout.symbol
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * box.width + [box.x, box.y]
    placed = dict(zip(laid.codes, laid.cards, strict=True))
    return Scene(
        as_jpeg(photo),
        {code: project(to_pixels, card.to_table(square)) for code, card in placed.items()},
        dict(zip(laid.codes, laid.groups, strict=True)),
        {code: project(to_pixels, card.outline()) for code, card in placed.items()},
    )


def as_jpeg(photo, quality=85):
    """The photo's file."""
    return cv2.imencode(".jpg", photo, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()


def score(scene, reading):
    """Compare; a code in a place where it does not lie is false."""
    right = [
        symbol
        for symbol in reading.symbols
        if symbol.code in scene.corners
        and np.abs(symbol.corners - scene.corners[symbol.code]).max() < 3 * scene.module_px()
    ]
    exact = same_groups([(scene.groups[symbol.code], symbol.group) for symbol in right])
    false = len(reading.symbols) - len(right)
    visible = scene.visible()
    return Score(len(visible), len({s.code for s in right} & visible), false, exact)


def same_groups(pairs):
    """Whether two groupings are one, given each card's group in both."""
    different = set(pairs)
    return len(different) == len({a for a, _ in different}) == len({b for _, b in different})


def pointers(scene, reading):
    """Codes of unread cards that are pointed out, and how many pointers point at none."""
    read = {symbol.code for symbol in (*reading.symbols, *reading.foreign)}
    missed = {code: scene.outlines[code] for code in scene.in_sight() - read}
    pointed, false = set(), 0
    for x, y in reading.unread.mean(1):
        at = [c for c, card in missed.items() if holds(card, (float(x), float(y)))]
        pointed.update(at)
        false += not at
    return pointed, false


def holds(outline, point):
    """Whether a point is within an outline."""
    return cv2.pointPolygonTest(outline.astype(np.float32), point, False) >= 0
