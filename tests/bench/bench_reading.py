"""Reading photos of tables as people leave them and phones see them, with the deck.

    python -m tests.bench.bench_reading --scenes 3
    python -m tests.bench.bench_reading --only ordinary,careless --counts 60,300
    python -m tests.bench.bench_reading --only cut,bent,joined --counts 60
    python -m tests.bench.bench_reading --others

Without `--only`, each level of `tests.bench.conditions` is read with 60, 150 and 300 cards, and
each effect alone with 60 and 150; a name that begins with "joined" is two photos that overlap.
A line says:

- recall, mean and worst: of the cards whose symbols are in sight, those that were read;
- false: codes that do not lie where they were read;
- exact, flagged, wrong: photos whose groups are those of the table; that are not, and the reading
  says that groups are in doubt; that are not, and it says nothing;
- outlined: of the cards that are in sight (a fifth of the paper at least) and were not read, face
  down or covered or missed, those on which an unread place is reported; and places reported where
  there is none;
- silent: photos with cards that were not read, of which nothing is said;
- x colour: time of a reading over that of decoding the file in colour, taken by turns, medians.

`--others` asks for heaps, photos that others changed, clutter with spoilt codes, and a deck that
holds none of the cards: whatever is claimed is false, and `margin` is how near it came.
"""

import argparse
import time
from dataclasses import dataclass

import cv2
import numpy as np

from printables.reading.joining import join_photos
from printables.reading.reader import read_photo
from tests.bench.bench_clean_tables import alien_line, others
from tests.bench.conditions import EFFECTS, LEVELS
from tests.bench.scenes import pointers, print_cards, same_groups, score
from tests.bench.tables import pictured, pictured_twice

TURNS = 3
JOINED = "joined"
CONDITIONS = {**LEVELS, **EFFECTS}
HEADS = ("recall", "worst", "false", "exact", "flagged", "wrong", "outlined", "astray", "silent")


@dataclass(frozen=True)
class Row:
    """What one table came to; `said` where groups that are not exact are said to be in doubt."""

    cards: int
    read: int
    false: int
    exact: bool
    said: bool
    unread: int
    outlined: int
    astray: int
    silent: bool
    to_colour: float


def times_colour(scene, deck):
    """Time of reading over that of decoding in colour, median of turns."""
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
        turns.append(spent[0] / spent[1])
    return float(np.median(turns))


def doubts(sentences):
    """Whether somebody is told to look at the groups."""
    return any("group" in sentence for sentence in sentences)


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
        doubts(reading.advice),
        len(scene.in_sight() - read),
        len(pointed),
        astray,
        len(read) < count and not (reading.advice or len(reading.unread)),
        times_colour(scene, printed.deck),
    )


def two_photos(printed, count, conditions, seed):
    """A table in two photos that are joined."""
    scenes = pictured_twice(printed, count, conditions, seed)
    readings = [read_photo(scene.jpeg, printed.deck) for scene in scenes]
    table = join_photos(readings)
    visible = scenes[0].visible() | scenes[1].visible()
    in_sight = scenes[0].in_sight() | scenes[1].in_sight()
    found = [score(*both) for both in zip(scenes, readings, strict=True)]
    pointed = [pointers(*both) for both in zip(scenes, readings, strict=True)]
    said = [sentence for reading in readings for sentence in reading.advice]
    read = {symbol.code for reading in readings for symbol in reading.symbols}
    outlines = sum(len(reading.unread) for reading in readings)
    return Row(
        len(visible),
        len(visible & set(table.groups)),
        sum(one.false for one in found),
        same_groups([(scenes[0].groups[code], group) for code, group in table.groups.items()]),
        doubts([*said, *table.conflicts]) or bool(table.conflicts),
        len(in_sight - read),
        len((pointed[0][0] | pointed[1][0]) - read),
        pointed[0][1] + pointed[1][1],
        len(read) < count and not (said or table.conflicts or outlines),
        float(np.mean([times_colour(scene, printed.deck) for scene in scenes])),
    )


def line(name, count, rows):
    """The line of one name and number of cards."""
    recall = np.array([row.read / max(row.cards, 1) for row in rows])
    exact = sum(row.exact for row in rows)
    flagged = sum(row.said and not row.exact for row in rows)
    outlined = f"{sum(row.outlined for row in rows)}/{sum(row.unread for row in rows)}"
    weighed = sum(row.read for row in rows) / sum(row.cards for row in rows)
    return (
        f"{name:22}{count:5}{weighed:9.1%}{recall.min():9.1%}"
        f"{sum(row.false for row in rows):9}{exact:7}/{len(rows)}{flagged:9}"
        f"{len(rows) - exact - flagged:9}{outlined:>9}{sum(row.astray for row in rows):9}"
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
        rows = [look(print_cards(count), count, conditions, seed) for seed in seeds]
        print(line(name, count, rows), flush=True)


if __name__ == "__main__":
    main()
