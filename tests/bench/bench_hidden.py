"""Photos of tables on which something hides cards: what is said about them, and what is not.

    python -m tests.bench.bench_hidden --first 40000 --photos 100

One to three groups of 4 to 14 cards, under the conditions and on the tables of `LEVELS`, and a
sleeve, hand, cup, phone or sheet over some, or nothing. Every other deck has 42 cards, the others
just those on the table. Photos have 4 megapixels, as much for each card as 12 for 90 cards. A line
says, of photos with one thing:

- exact: groups are those of the table; needless: of these, groups are said to be in doubt;
- flagged, wrong: groups are not those of the table, and it is said that some are in doubt, or not;
- missed: cards at least partly in sight, or under the thing, that were not read and within which
  no outline has its middle; photos: in how many; silent: in how many of these nothing but their
  number is said;
- false: codes that do not lie where they were read.
"""

import argparse
from collections import Counter
from dataclasses import replace

import numpy as np

from printables.reading.deck.known_deck import KnownDeck
from printables.reading.findings import Code
from printables.reading.reader import read_photo
from tests.bench import clutter, tables
from tests.bench.bench_reading import ASKS, doubts
from tests.bench.conditions import LEVELS
from tests.bench.scenes import holds, print_cards, score

CARDS = 42
MEGAPIXELS = 4
GROUNDS = ("wood", "white", "dark", "checked", "striped", "flowered")
MOST_GROUPS = 3


def nothing_over(cards, rng):
    """A pen beside the cards."""
    pen = clutter.empty_sheet_over(cards, rng)
    low = np.min([card.outline() for card in cards], (0, 1))
    return replace(pen, width_mm=10, height_mm=140, x_mm=low[0] - 120, y_mm=low[1] - 120)


THINGS = {
    "nothing": nothing_over,
    "sleeve": clutter.sleeve_over,
    "hand": clutter.hand_over,
    "cup": clutter.cup_over,
    "phone": clutter.phone_over,
    "sheet of text": clutter.sheet_over,
    "empty sheet": clutter.empty_sheet_over,
}
SAYS = ASKS | {Code.CARDS_HIDDEN, Code.PAPER_UNEXPLAINED, Code.CARDS_PILED, Code.CARDS_OVERLAID}
HEADS = ("photos", "exact", "needless", "flagged", "wrong", "missed", "in", "silent", "false")


def hidden_scene(printed, seed):
    """A photo, the name of the thing on it, of its table and conditions, and the deck."""
    rng = np.random.default_rng([seed, 0])
    thing, level, ground = (str(rng.choice(list(names))) for names in (THINGS, LEVELS, GROUNDS))
    groups = int(rng.integers(1, MOST_GROUPS + 1))
    conditions = replace(LEVELS[level], grounds=(ground,))
    scene = tables.pictured_under(printed, groups, THINGS[thing], conditions, seed)
    deck = printed.deck
    if seed % 2:
        deck = KnownDeck(tuple(scene.corners), deck.layout)
    return scene, (thing, ground, level), deck


def _outlined(scene, reading):
    """Codes of cards, also wholly hidden ones, that outlines of unread cards point at."""
    middles = reading.unread.mean(1).tolist()
    return {
        code
        for code, outline in scene.outlines.items()
        if any(holds(outline, middle) for middle in middles)
    }


def counted(scene, reading):
    """The counts of one photo."""
    found = score(scene, reading)
    in_doubt = doubts(reading.findings)
    read = {symbol.code for symbol in reading.symbols}
    missed = set(scene.corners) - read - _outlined(scene, reading)
    spoken = any(finding.code in SAYS for finding in reading.findings)
    return Counter(
        photos=1,
        exact=found.groups_exact,
        needless=found.groups_exact and in_doubt,
        flagged=not found.groups_exact and in_doubt,
        wrong=not found.groups_exact and not in_doubt,
        missed=len(missed),
        silent=bool(missed) and not spoken,
        false=found.false,
        **{"in": bool(missed)},
    )


def line(name, counts):
    return f"{name:16}" + "".join(f"{counts[head]:9}" for head in HEADS)


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--first", type=int, default=0, help="the first photo's seed")
    options.add_argument("--photos", type=int, default=100)
    options.add_argument("--each", action="store_true", help="name photos that are wrong or silent")
    chosen = options.parse_args()
    tables.MEGAPIXELS = MEGAPIXELS
    printed = print_cards(CARDS)
    lines = {name: Counter() for name in THINGS}
    for seed in range(chosen.first, chosen.first + chosen.photos):
        scene, names, deck = hidden_scene(printed, seed)
        counts = counted(scene, read_photo(scene.jpeg, deck))
        lines[names[0]] += counts
        if chosen.each and (counts["wrong"] or counts["silent"]):
            print(seed, *names, "wrong" if counts["wrong"] else "silent", flush=True)
    print(f"{'':16}" + "".join(f"{head:>9}" for head in HEADS))
    for name, counts in (*lines.items(), ("all", sum(lines.values(), Counter()))):
        print(line(name, counts))


if __name__ == "__main__":
    main()
