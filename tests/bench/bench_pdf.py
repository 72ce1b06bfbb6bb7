"""2,400 cards with 800 x 800 PNGs in one PDF: time beside pikepdf copying them, memory, size."""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pikepdf
from PIL import Image, ImageDraw

from printables.artwork.png import plain_png
from printables.sheets.face import SetOfCards
from printables.sheets.pdf import draw_pages
from printables.sheets.sheet import SheetLayout, impose

SIDE = 800


def draw_sketches(folder, count):
    """Smooth random strokes, smoothed at the edges: about 27 kB each, no two alike."""
    rng = np.random.default_rng(1)
    paths = []
    for index in range(count):
        image = Image.new("L", (2 * SIDE, 2 * SIDE), 255)
        pen = ImageDraw.Draw(image)
        for _ in range(14):
            walk = rng.normal(0, 14, (80, 2)).cumsum(axis=0).cumsum(axis=0) / 12
            points = rng.uniform(300, 1300, 2) + walk
            pen.line([tuple(point) for point in points], fill=0, width=9, joint="curve")
        path = folder / f"sketch{index:05d}.png"
        image.resize((SIDE, SIDE), Image.Resampling.LANCZOS).save(path)
        paths.append(path)
    return paths


def copy_with_pikepdf(paths, target):
    """The floor: every PNG's compressed pixels as an image of a PDF, and nothing else."""
    pdf = pikepdf.new()
    for path in paths:
        png = plain_png(path.read_bytes(), path.name)
        image = pikepdf.Stream(pdf, png.pixels)
        image.stream_dict = pikepdf.Dictionary(
            Type=pikepdf.Name.XObject,
            Subtype=pikepdf.Name.Image,
            Width=png.width,
            Height=png.height,
            ColorSpace=pikepdf.Name.DeviceGray,
            BitsPerComponent=png.depth,
            Filter=pikepdf.Name.FlateDecode,
            DecodeParms=pikepdf.Dictionary(
                Predictor=15, Colors=png.channels, BitsPerComponent=png.depth, Columns=png.width
            ),
        )
        page = pikepdf.Dictionary(
            Type=pikepdf.Name.Page,
            MediaBox=[0, 0, 200, 200],
            Resources=pikepdf.Dictionary(XObject=pikepdf.Dictionary(P=image)),
            Contents=pikepdf.Stream(pdf, b"q 200 0 0 200 0 0 cm /P Do Q"),
        )
        pdf.pages.append(pikepdf.Page(pdf.make_indirect(page)))
    pdf.save(target)


def print_cards(paths, target):
    """The cards, their codes, words and marks."""
    stimuli = tuple((number, path.name, path) for number, path in enumerate(paths, 1))
    draw_pages(impose([SetOfCards(1, "bench", stimuli).deck(1)], SheetLayout()), target)


def seconds(step, *arguments):
    start = time.perf_counter()
    step(*arguments)
    return time.perf_counter() - start


def peak_memory(folder):
    """Peak resident memory in MB of a process that prints the folder's sketches."""
    program = (
        "import resource, sys; from pathlib import Path; from tests.bench import bench_pdf as b;"
        "folder = Path(sys.argv[1]); b.print_cards(sorted(folder.glob('*.png')), folder / 'm.pdf');"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    command = [sys.executable, "-c", program, str(folder)]
    shown = subprocess.run(command, check=True, capture_output=True, text=True)
    return int(shown.stdout) / (1024 * 1024 if sys.platform == "darwin" else 1024)


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--cards", type=int, default=2400)
    options.add_argument("--repeats", type=int, default=3)
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        paths = draw_sketches(folder, chosen.cards)
        floor = folder / "floor.pdf"
        cards = folder / "cards.pdf"
        # First, while this process is small: a child's peak counts what its parent held.
        memory = peak_memory(folder)
        times = [
            (seconds(copy_with_pikepdf, paths, floor), seconds(print_cards, paths, cards))
            for _ in range(chosen.repeats)
        ]
        floor_time, cards_time = np.median(times, axis=0)
        megabytes = sum(path.stat().st_size for path in paths) / 1e6
        print(f"{chosen.cards} PNGs of {SIDE} x {SIDE}, {megabytes:.0f} MB; {os.cpu_count()} cores")
        print(f"{'':24}{'seconds':>8}{'MB':>7}")
        print(f"{'pikepdf, pixels copied':24}{floor_time:8.2f}{floor.stat().st_size / 1e6:7.1f}")
        print(f"{'cards':24}{cards_time:8.2f}{cards.stat().st_size / 1e6:7.1f}")
        print(f"times the floor: {cards_time / floor_time:.2f} (to be 3 or less)")
        print(f"peak memory: {memory:.0f} MB (to be below 300)")


if __name__ == "__main__":
    main()
