"""Make the documentation's pictures again: `python -m tests.browser.refresh_images`.

The pages come from the tests that walk the whole path in a real Chromium; the card, the table and
the matrix come from the demo.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import cv2
from PIL import Image

from printables import KnownDeck, draw_overlay, read_manifest, read_photo
from study_app.simulation.demo.tables import cut_cards

PROJECT = Path(__file__).resolve().parent.parent.parent
IMAGES = PROJECT / "docs" / "images"
# Pictures of the documentation, and the step of the test that shows each.
PAGES = {
    "cards.png": "cards-laptop",
    "photo.jpg": "photo-T001-laptop",
    "phone.png": "recorded-T001-phone",
    "gold.png": "gold-laptop",
    "systems.png": "systems-laptop",
    "rank.png": "ranking-laptop",
}
WALKS = ("tests/browser/test_whole_path.py", "tests/browser/test_ranking_walk.py")
COLOURS = 64
JPEG_QUALITY = 80
WIDTH_PX = 900


def main():
    """Run the walks and the demo, and write every picture."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _run("-m", "pytest", "-q", "-n0", *WALKS, SKETCH_STUDY_SCREENSHOTS=str(folder))
        for picture, step in PAGES.items():
            (taken,) = folder.glob(f"*-{step}.png")
            _write_small(Image.open(taken), IMAGES / picture)
        demo = folder / "demo"
        _run("-m", "study_app", "demo", "--no-serve", "--out", str(demo))
        _draw_demo(demo)


def _run(*command, **environment):
    subprocess.run(
        [sys.executable, *command], cwd=PROJECT, env={**os.environ, **environment}, check=True
    )


def _write_small(picture, path):
    small = picture.convert("RGB")
    small.thumbnail((WIDTH_PX, 2 * WIDTH_PX))
    if path.suffix == ".jpg":
        small.save(path, quality=JPEG_QUALITY)
    else:
        small.quantize(COLOURS).save(path, optimize=True)
    print(f"{path.relative_to(PROJECT)}: {path.stat().st_size // 1000} kB")


def _draw_demo(demo):
    """A card, a table with the outlines of read cards, and a matrix."""
    manifest = read_manifest(demo / "cards" / "shapes.csv")
    card = next(iter(cut_cards(demo / "cards" / "shapes.pdf", manifest).values()))
    _write_small(Image.fromarray(card.face), IMAGES / "card.png")
    photo = demo / "photos" / "T001.jpg"
    drawn = draw_overlay(photo, read_photo(photo, KnownDeck.from_manifest(manifest)))
    _write_small(Image.fromarray(cv2.cvtColor(drawn, cv2.COLOR_BGR2RGB)), IMAGES / "table.jpg")
    matrix = demo / "export" / "data" / "derived" / "set-shapes" / "similarity.png"
    _write_small(Image.open(matrix), IMAGES / "similarity.png")


if __name__ == "__main__":
    main()
