"""Cards drawn for tests: their PDF, and its pages as rendered by poppler."""

import shutil
import subprocess

import numpy as np
from PIL import Image

from printables.artwork.pictures import Strokes
from printables.sheets.face import SetOfCards
from printables.sheets.pdf import draw_pages
from printables.sheets.sheet import SheetLayout, impose
from tests.conftest import need

SQUARE = Strokes((((2.0, 2.0), (8.0, 2.0), (8.0, 8.0), (2.0, 8.0), (2.0, 2.0)),), 10.0)
MM = 25.4
PIXELS = np.random.default_rng(3).integers(0, 256, (16, 24, 3), dtype=np.uint8)
COPIED = {
    "grey": Image.fromarray(PIXELS[:, :, 0]),
    "colour": Image.fromarray(PIXELS),
    "palette": Image.fromarray(PIXELS).quantize(5),
    "one bit": Image.fromarray(PIXELS[:, :, 0]).convert("1"),
}


def run(*command):
    need(shutil.which(command[0]), f"{command[0]} is not installed")
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def deck_of(pictures, name="chairs", deck=1):
    stimuli = tuple((n, f"s{n}", picture) for n, picture in enumerate(pictures, 1))
    return SetOfCards(1, name, stimuli).deck(deck)


def drawn(folder, cards, layout=None, **options):
    """The PDF of some cards, and its pages."""
    pages = impose([cards], layout or SheetLayout(), **options)
    draw_pages(pages, folder / "cards.pdf")
    return folder / "cards.pdf", pages


def rendered(pdf, page, dpi, folder):
    run("pdftoppm", "-r", str(dpi), "-f", str(page), "-l", str(page), "-singlefile", "-png",
        str(pdf), str(folder / f"page{page}"))  # fmt: skip
    with Image.open(folder / f"page{page}.png") as image:
        return image.convert("RGB")


def sketch_room(image, placed, dpi):
    """The pixels of a card's sketch area."""
    room, box = placed.face.picture, placed.box
    x, y = box.x + room.x, box.y + room.y
    edges = (x, y, x + room.width, y + room.height)
    return image.crop(tuple(round(edge * dpi / MM) for edge in edges))
