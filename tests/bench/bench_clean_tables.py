"""Reading photos of tables without mishaps: share read, false reads, groups, time against JPEG.

    python -m tests.bench.bench_clean_tables --scenes 20

`x colour` and `x grey` are the time of a reading over that of plainly decoding the same file with
OpenCV, taken by turns; medians over turns, then over scenes. The last line reads such scenes with a
deck that holds none of the cards: whatever is claimed is false, and `margin` is how near it came.
`bench_reading` asks for tables as people leave them.
"""

import argparse
import time

import cv2
import numpy as np

from printables.cards.codes import CardCode, encode
from printables.reading.deck.known_deck import KnownDeck
from printables.reading.deck.matching import match_deck
from printables.reading.photos.photo import load_grey
from printables.reading.reader import read_photo
from printables.reading.symbols.search import View, find_poses
from tests.bench.clutter import cluttered
from tests.bench.layouts import heaps, stick_sizes
from tests.bench.phones import MISHAPS
from tests.bench.scenes import (
    HARD,
    LARGE,
    ORDINARY,
    lay,
    photograph,
    pointers,
    print_cards,
    score,
    take,
)

TURNS = 5
CONDITIONS = (
    ("60 cards, 12 MP", 60, ORDINARY, False),
    ("60 cards, 12 MP, deck", 60, ORDINARY, True),
    ("300 cards, 48 MP", 300, LARGE, False),
    ("300 cards, 48 MP, deck", 300, LARGE, True),
    ("300 cards, 12 MP", 300, ORDINARY, False),
    ("300 cards, 12 MP, deck", 300, ORDINARY, True),
    ("60 cards, hard", 60, HARD, False),
    ("60 cards, hard, deck", 60, HARD, True),
    ("300 cards, hard, deck", 300, HARD, True),
)


def seconds(act):
    start = time.perf_counter()
    act()
    return time.perf_counter() - start


def timed(scene, deck):
    """Seconds of reading and of decoding in colour and in grey, taken by turns; one row a turn."""
    content = np.frombuffer(scene.jpeg, np.uint8)
    return [
        (
            seconds(lambda: read_photo(scene.jpeg, deck)),
            seconds(lambda: cv2.imdecode(content, cv2.IMREAD_COLOR)),
            seconds(lambda: cv2.imdecode(content, cv2.IMREAD_GRAYSCALE)),
        )
        for _ in range(TURNS)
    ]


def measure(printed, count, camera, known, scenes):
    deck = printed.deck if known else None
    rows = []
    for seed in range(scenes):
        scene = photograph(printed, count, camera, 1000 + seed)
        found = score(scene, read_photo(scene.jpeg, deck))
        spent, colour, grey = np.array(timed(scene, deck)).T
        times = (np.median(spent), np.median(spent / colour), np.median(spent / grey))
        rows.append((found.read, found.false, found.groups_exact, *times, scene.module_px()))
    return np.array(rows, float)


def alien_margins(printed, scenes):
    """The best margins by which symbols looked like cards of a deck that they are not in."""
    deck = KnownDeck([encode(CardCode(12, card, 9, 1)) for card in range(1, 2401)])
    margins, accepted = [], 0
    for seed in range(scenes):
        for camera, count in ((ORDINARY, 300), (HARD, 60)):
            scene = photograph(printed, count, camera, 5000 + seed)
            grey = load_grey(scene.jpeg)
            scale = min(1.0, 1.7 / scene.module_px())
            view = View.at(grey, scale, True)
            view, poses, _ = find_poses(grey, view, [])
            matches = match_deck(view.grey, poses, deck)
            margins.append(matches.margin)
            accepted += int((matches.cards >= 0).sum())
    return np.concatenate(margins), accepted


def alien_line(printed, scenes):
    """What a deck that holds none of the cards made of them."""
    margins, accepted = alien_margins(printed, scenes)
    return (
        f"alien deck of 2400: {len(margins)} symbols, {accepted} claimed, "
        f"margin 99.9 % {np.quantile(margins, 0.999):.3f}, most {margins.max():.3f}"
    )


def heaped(printed, seed):
    """60 cards in 5 to 25 heaps, on all three grounds by turns."""
    rng = np.random.default_rng(7000 + seed)
    sizes = stick_sizes(60, (5, 12, 25)[seed % 3], rng)
    laid = lay(printed, heaps(sizes, printed.deck.layout, rng), rng)
    return take(laid, ORDINARY, rng, ("wood", "dark", "white")[seed // 3 % 3])


def amid_clutter(printed, ground, scenes):
    """Spoilt cards that are pointed out, pointers at nothing, and false reads."""
    spoilt = pointed = wrong = false = 0
    for seed in range(scenes):
        camera = (ORDINARY, HARD)[seed % 2]
        scene, codes = cluttered(printed, [1, 9, 20, 14, 3, 13], camera, seed, ground)
        reading = read_photo(scene.jpeg, printed.deck)
        right, nowhere = pointers(scene, reading)
        spoilt += len(codes)
        pointed += len(right & set(codes))
        wrong += nowhere
        false += score(scene, reading).false
    print(
        f"clutter on {ground}: {pointed} of {spoilt} spoilt cards pointed out, "
        f"{wrong} pointers at nothing, {false} false reads",
        flush=True,
    )


def others(printed, scenes):
    """What life adds, 60 cards with their deck: heaps, changed photos, clutter."""
    print(f"{'':24}{'read':>9}{'worst':>9}{'false':>9}{'groups':>9}")
    makers = {"heaps": lambda seed: heaped(printed, seed)}
    for mishap in MISHAPS:
        makers[mishap.__name__] = lambda seed, change=mishap: change(
            photograph(printed, 60, ORDINARY, 700 + seed)
        )
    for name, make in makers.items():
        found = [
            score(scene, read_photo(scene.jpeg, printed.deck)) for scene in map(make, range(scenes))
        ]
        read = np.array([one.read for one in found]) / 60
        exact = np.mean([one.groups_exact for one in found])
        false = sum(one.false for one in found)
        print(f"{name:24}{read.mean():9.2%}{read.min():9.2%}{false:9}{exact:9.1%}", flush=True)
    for ground in ("wood", "dark", "white"):
        amid_clutter(printed, ground, scenes)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--scenes", type=int, default=5)
    options.add_argument("--only", default="")
    chosen = options.parse_args()
    printed = print_cards(300)
    heads = ("px/mod", "read", "worst", "false", "groups", "seconds", "x colour", "x grey")
    print(f"{'condition':24}" + "".join(f"{head:>9}" for head in heads))
    for name, count, camera, known in CONDITIONS:
        if chosen.only not in name:
            continue
        rows = measure(printed, count, camera, known, chosen.scenes)
        read, false, exact, spent, to_colour, to_grey, module = rows.T
        print(
            f"{name:24}{np.median(module):9.2f}{read.mean() / count:9.2%}"
            f"{read.min() / count:9.2%}{false.sum():9.0f}{exact.mean():9.1%}"
            f"{np.median(spent):9.3f}{np.median(to_colour):9.2f}"
            f"{np.median(to_grey):9.2f}",
            flush=True,
        )
    print(alien_line(printed, chosen.scenes))


if __name__ == "__main__":
    main()
