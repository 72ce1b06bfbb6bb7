"""Reading photos of tables as people leave them and phones see them, with the deck.

    python -m tests.bench.bench_reading --scenes 3
    python -m tests.bench.bench_reading --only ordinary,careless --counts 60,300
    python -m tests.bench.bench_reading --only cut,bent,joined --counts 60
    python -m tests.bench.bench_reading --only ordinary --counts 12 --deck 300
    python -m tests.bench.bench_reading --others

Without `--only`, each level of `tests.bench.conditions` is read with 60, 150 and 300 cards, and
each effect alone with 60 and 150; a name that begins with "joined" is two photos that overlap.
A line says:

- recall, mean and worst: of the cards whose symbols are in sight, those that were read;
- false: codes that do not lie where they were read;
- exact, flagged, wrong: photos whose groups are those of the table; that are not, and the reading
  says that groups are in doubt; that are not, and it says nothing; needless: photos whose groups
  are exact, and it says that some are in doubt;
- outlined: of the cards that are in sight (a fifth of the paper at least) and were not read, face
  down or covered or missed, those on which an unread place is reported; "quarter" is the same for
  cards with at least a quarter of the paper in sight; astray: places reported where there is none;
- silent: photos with cards that were not read, of which neither their number nor anything is said;
- x colour: wall-clock time of reading the file, divided by that of decoding it in colour; fastest
  of several turns each, median over photos.

With `--deck` the table has a part of the deck, as in a photo of each group.

`--others` asks for heaps, photos that others changed, clutter with spoilt codes, and a deck that
holds none of the cards: whatever is claimed is false, and `margin` is how near it came.
"""

import argparse
import time
from dataclasses import dataclass

import cv2
import numpy as np

from printables.reading.findings import Code
from printables.reading.reader import read_photo
from printables.reading.together.joining import join_photos
from printables.reading.together.settling import settle
from tests.bench.bench_clean_tables import alien_line, others
from tests.bench.conditions import EFFECTS, LEVELS
from tests.bench.scenes import pointers, print_cards, same_groups, score
from tests.bench.tables import pictured, pictured_twice

TURNS = 3
JOINED = "joined"
ASKS = {
    Code.GROUPS_UNCERTAIN,
    Code.PHOTOS_DISAGREE,
    Code.CARD_IN_TWO_PLACES,
    Code.PHOTO_APART,
    Code.PHOTO_DIFFERS,
}
CONDITIONS = {**LEVELS, **EFFECTS}
HEADS = (
    *("recall", "worst", "false", "exact", "flagged", "wrong", "needless"),
    *("outlined", "quarter", "astray", "silent"),
)
QUARTER = 0.25


@dataclass(frozen=True)
class Row:
    """What one table came to; `said` where groups are said to be in doubt.

    Of unread cards and those outlined, each first with a fifth in sight, then with a quarter.
    """

    cards: int
    read: int
    false: int
    exact: bool
    in_doubt: bool
    unread: tuple[int, int]
    outlined: tuple[int, int]
    astray: int
    silent: bool
    to_colour: float


def times_colour(scene, deck):
    """Wall-clock time of reading the file, divided by that of decoding it in colour."""
    content = np.frombuffer(scene.jpeg, np.uint8)
    acts = (
        lambda: read_photo(scene.jpeg, deck),
        lambda: cv2.imdecode(content, cv2.IMREAD_COLOR),
    )
    turns = []
    for _ in range(TURNS):
        spent = []
        for act in acts:
            start = time.perf_counter()
            act()
            spent.append(time.perf_counter() - start)
        turns.append(spent)
    # what other programs do only ever adds to it
    return float(np.divide(*np.min(turns, axis=0)))


def doubts(findings):
    """Whether somebody is told to look at the groups."""
    return any(finding.code in ASKS for finding in findings)


def _says_missing(reading):
    """Whether somebody is told that cards are missing, or what to do about it."""
    placed = [f.facts for f in reading.findings if f.code == Code.CARDS_PLACED]
    return bool(reading.advice) or any(f["placed"] < f["expected"] for f in placed)


def in_sight(scene):
    """Codes of cards with at least a fifth of their paper in sight, and with at least a quarter."""
    return scene.in_sight(), scene.in_sight(QUARTER)


def one_photo(printed, count, conditions, seed):
    """A table in one photo."""
    scene = pictured(printed, count, conditions, seed)
    reading = read_photo(scene.jpeg, printed.deck)
    found = score(scene, reading)
    pointed, astray = pointers(scene, reading)
    read = {symbol.code for symbol in reading.symbols}
    return Row(
        found.cards,
        found.read,
        found.false,
        found.groups_exact,
        doubts(reading.findings),
        tuple(len(cards - read) for cards in in_sight(scene)),
        tuple(len(cards & pointed) for cards in in_sight(scene)),
        astray,
        len(read) < count and not (_says_missing(reading) or len(reading.unread)),
        times_colour(scene, printed.deck),
    )


def two_photos(printed, count, conditions, seed):
    """A table in two photos that are joined."""
    scenes = pictured_twice(printed, count, conditions, seed)
    readings = settle([read_photo(scene.jpeg, printed.deck) for scene in scenes])
    table = join_photos(readings)
    visible = scenes[0].visible() | scenes[1].visible()
    found = [score(*both) for both in zip(scenes, readings, strict=True)]
    pointed = [pointers(*both) for both in zip(scenes, readings, strict=True)]
    either = [one | other for one, other in zip(*map(in_sight, scenes), strict=True)]
    in_doubt = [finding for reading in readings for finding in reading.findings]
    read = {symbol.code for reading in readings for symbol in reading.symbols}
    outlines = sum(len(reading.unread) for reading in readings)
    return Row(
        len(visible),
        len(visible & set(table.groups)),
        sum(one.false for one in found),
        same_groups([(scenes[0].groups[code], group) for code, group in table.groups.items()]),
        doubts([*in_doubt, *table.findings]),
        tuple(len(cards - read) for cards in either),
        tuple(len(cards & (pointed[0][0] | pointed[1][0]) - read) for cards in either),
        pointed[0][1] + pointed[1][1],
        len(read) < count
        and not (any(map(_says_missing, readings)) or table.conflicts or outlines),
        float(np.mean([times_colour(scene, printed.deck) for scene in scenes])),
    )


def line(name, count, rows):
    """The line of one name and number of cards."""
    recall = np.array([row.read / max(row.cards, 1) for row in rows])
    exact = sum(row.exact for row in rows)
    flagged = sum(row.in_doubt and not row.exact for row in rows)
    needless = sum(row.in_doubt and row.exact for row in rows)
    outlined, quarter = (
        f"{sum(row.outlined[n] for row in rows)}/{sum(row.unread[n] for row in rows)}"
        for n in range(2)
    )
    weighed = sum(row.read for row in rows) / sum(row.cards for row in rows)
    return (
        f"{name:22}{count:5}{weighed:9.1%}{recall.min():9.1%}"
        f"{sum(row.false for row in rows):9}{exact:7}/{len(rows)}{flagged:9}"
        f"{len(rows) - exact - flagged:9}{needless:9}{outlined:>9}{quarter:>9}"
        f"{sum(row.astray for row in rows):9}"
        f"{sum(row.silent for row in rows):9}{np.median([row.to_colour for row in rows]):10.1f}"
    )


def asked(only, counts):
    """Names and numbers of cards to read."""
    names = only or [*LEVELS, *EFFECTS, *(f"{JOINED} {level}" for level in LEVELS)]
    unknown = [n for n in names if n.removeprefix(JOINED).strip() not in (*CONDITIONS, "")]
    if unknown:
        raise SystemExit(f"no condition {unknown[0]!r}; there are {', '.join(CONDITIONS)}")
    for name in names:
        for count in counts or ((60, 150, 300) if name in LEVELS else (60, 150)):
            yield name, count


def listed(text):
    return [part.strip() for part in text.split(",") if part.strip()]


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--scenes", type=int, default=3)
    options.add_argument("--first", type=int, default=0, help="the first scene's seed")
    options.add_argument("--only", type=listed, default=[], help="levels and effects, with commas")
    options.add_argument("--counts", type=listed, default=[], help="numbers of cards, with commas")
    options.add_argument("--deck", type=int, default=0, help="cards in the deck, if more")
    options.add_argument("--others", action="store_true")
    chosen = options.parse_args()
    if chosen.others:
        others(print_cards(300), chosen.scenes)
        print(alien_line(print_cards(300), chosen.scenes))
        return
    print(f"{'':22}{'cards':>5}" + "".join(f"{head:>9}" for head in HEADS) + f"{'x colour':>10}")
    for name, count in asked(chosen.only, [int(n) for n in chosen.counts]):
        look = two_photos if name.startswith(JOINED) else one_photo
        conditions = CONDITIONS[name.removeprefix(JOINED).strip() or "ordinary"]
        seeds = range(chosen.first, chosen.first + chosen.scenes)
        printed = print_cards(max(count, chosen.deck))
        rows = [look(printed, count, conditions, seed) for seed in seeds]
        print(line(name, count, rows), flush=True)


if __name__ == "__main__":
    main()
