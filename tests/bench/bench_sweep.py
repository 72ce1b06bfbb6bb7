"""A table of 300 cards filmed for ten seconds by somebody who walks along it, read and joined.

    python -m tests.bench.bench_sweep
    python -m tests.bench.bench_sweep --counts 60,300 --first 20 --films 3 --size 3840x2160
    python -m tests.bench.bench_sweep --counts 290 --down 10 --things 6 --ground checked

A line says how many frames of the film were read, how many of its cards, how many codes are false,
how many unread cards are outlined, whether the groups are exact, how many doubts are reported, how
many wrong groups are in none of them (silent), and the seconds of choosing the frames and of
reading them all. Of the cards on the table, some may lie face down, and pens, coins and cups may
lie on some.
"""

import argparse
import time

from printables.reading.photos.film import sharpest_frames
from printables.reading.reader import read_photo
from printables.reading.together.joining import join_photos
from printables.reading.together.settling import settle
from tests.bench.scenes import print_cards, same_groups
from tests.bench.sweeps import Table, film

DECK = 300


def line(table, seed, size):
    """Film, read and join one table; gives cards face up and cards read."""
    printed = print_cards(DECK)
    filmed = film(printed, table, seed, size)
    start = time.perf_counter()
    frames = sharpest_frames(filmed.content)
    chosen = time.perf_counter()
    # As on the recording page: if the whole deck is shown, nothing else is an unread card.
    joined = join_photos(settle([read_photo(frame, printed.deck) for frame in frames.files]))
    done = time.perf_counter()
    read = {code: group for code, group in joined.groups.items() if code in filmed.groups}
    exact = same_groups([(filmed.groups[code], group) for code, group in read.items()])
    print(
        f"{len(filmed.read):>6} {seed:>5} {len(frames.files):>7} {len(read):>6} "
        f"{len(joined.groups) - len(read):>6} {len(joined.unread):>6} "
        f"{'yes' if exact else 'no':>6} {len(joined.findings):>6} "
        f"{len(silent(filmed.groups, read, joined.findings)):>6} "
        f"{chosen - start:>8.1f} {done - chosen:>8.1f}"
    )
    return len(filmed.read), len(read)


def silent(truth, read, findings):
    """Groups that hold cards of several groups, or not all cards read of one, without a warning."""
    held = {(truth[code], group) for code, group in read.items()}
    several = [group for _true, group in held]
    parts = [true for true, _group in held]
    wrong = {group for true, group in held if several.count(group) > 1 or parts.count(true) > 1}
    doubted = {group for finding in findings for group in finding.facts.get("groups", ())}
    doubted |= {read.get(card) for finding in findings for card in finding.facts.get("cards", ())}
    return wrong - doubted


def main():
    """Film tables, and print."""
    asked = argparse.ArgumentParser()
    asked.add_argument("--counts", default="300")
    asked.add_argument("--first", type=int, default=1, help="the first film's seed")
    asked.add_argument("--films", type=int, default=1)
    asked.add_argument("--size", default="1920x1080")
    asked.add_argument("--down", type=int, default=0, help="cards face down")
    asked.add_argument("--things", type=int, default=0, help="pens, coins and cups on the cards")
    asked.add_argument("--ground", default="wood")
    options = asked.parse_args()
    width, height = map(int, options.size.split("x"))
    print(" cards  film  frames   read  false unread  exact doubts silent choosing  reading")
    found = [
        line(Table(int(count), options.down, options.things, options.ground), seed, (width, height))
        for count in options.counts.split(",")
        for seed in range(options.first, options.first + options.films)
    ]
    cards, read = map(sum, zip(*found, strict=True))
    print(f"{100 * read / cards:.2f} % of {cards} cards read")


if __name__ == "__main__":
    main()
