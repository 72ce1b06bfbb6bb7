"""How often an unread card looks most like its own sketch, among those of all missing cards.

    python -m tests.bench.bench_sketch_correlation --first 900 --scenes 4

Careless tables on which three in ten cards lie on others, and as many are stacked, photographed as
phones do. A line says of the unread cards that are outlined, by the share of the card in sight: how
many there are; how many cards are missing, on average; and how often the page shows the card itself
first, or among the four that it shows. The last line says for how many cards that lie face down the
page shows any.
"""

import argparse
from dataclasses import replace
from itertools import pairwise

import cv2
import numpy as np

from printables.reading.deck.known_deck import KnownDeck
from printables.reading.photos.photo import load_grey
from printables.reading.reader import read_photo
from printables.reading.unread.sketch_correlation import lines_on_card, sketch_correlation
from printables.tabletop.outlines import shared_part
from study_app.sittings.photos.likely_cards import LEAST_CORRELATION
from tests.bench.conditions import LEVELS
from tests.bench.scenes import DPI, MM, print_cards
from tests.bench.tables import laid_out, pictured

CONDITIONS = replace(LEVELS["careless"], overlapping=0.3, stacked=0.3)
SHOWN = 4
SHARES = (0.0, 0.3, 0.5, 0.7, 0.9, 1.01)


def sketch_of(printed, code):
    """The sketch area of a card's face."""
    area, scale = printed.deck.layout.picture, DPI / MM
    left, top, right, bottom = (
        round(at * scale) for at in (area.x, area.y, area.x + area.width, area.y + area.height)
    )
    return printed.faces[code][top:bottom, left:right]


def compared(printed, count, seed):
    """Of each outlined unread card: share in sight, whether face down, missing cards, and how many
    cards the page shows before its own; None if the page shows no card."""
    layout = printed.deck.layout
    scene = pictured(printed, count, CONDITIONS, seed)
    down = laid_out(printed, count, CONDITIONS, np.random.default_rng(seed)).face_down
    reading = read_photo(scene.jpeg, KnownDeck(list(scene.outlines), layout))
    missing = sorted(scene.outlines.keys() - {symbol.code for symbol in reading.symbols})
    lines = [lines_on_card(sketch_of(printed, code), layout) for code in missing]
    grey = load_grey(scene.jpeg)
    for code in missing:
        shares = [shared_part(scene.outlines[code], place) for place in reading.unread]
        if max(shares, default=0) < 0.5:
            continue
        outline = reading.unread_mm[int(np.argmax(shares))]
        found = sketch_correlation(grey, reading.plan.to_table, outline, layout, lines)
        rank = int((found > found[missing.index(code)]).sum())
        shown = rank if found.max() >= LEAST_CORRELATION else None
        yield scene.paper_seen.get(code, 1.0), code in down, len(missing), shown


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--first", type=int, default=900, help="first seed")
    parser.add_argument("--scenes", type=int, default=4, help="of each number of cards")
    parser.add_argument("--counts", default="60,150,300")
    asked = parser.parse_args()
    cv2.setNumThreads(1)
    printed = print_cards(300)
    found = [
        card
        for count in map(int, asked.counts.split(","))
        for seed in range(asked.first, asked.first + asked.scenes)
        for card in compared(printed, count, seed)
    ]
    print(f"{'in sight':12}{'cards':>6}{'missing':>9}{'first':>7}{f'in {SHOWN}':>6}")
    for low, high in pairwise(SHARES):
        cards = [card for card in found if not card[1] and low <= card[0] < high]
        ranks = np.array([card[3] for card in cards if card[3] is not None])
        if cards:
            missing = np.mean([card[2] for card in cards])
            counts = f"{(ranks == 0).sum():>7}{(ranks < SHOWN).sum():>6}"
            print(f"{f'{low:.1f} to {min(high, 1):.1f}':12}{len(cards):>6}{missing:>9.0f}{counts}")
    down = [card[3] is not None for card in found if card[1]]
    print(f"face down: {len(down)}, of which cards are shown for {sum(down)}")


if __name__ == "__main__":
    main()
