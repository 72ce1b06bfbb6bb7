"""What each tuned number of the reader changes: it is varied, and photos are read again.

    python -m tests.bench.bench_constants
    python -m tests.bench.bench_constants --only detections,matching --scenes careless:300

Numbers are halved and doubled, or moved as far as they have a meaning. For each other value a line
says in which scenes the reading differs, and how: cards read, false codes, whether the groups are
right, places reported as unread, the blur in pixels, whether it is motion blur, and findings by
code. A name that begins with "joined" is two photos that overlap.
"""

import argparse
import importlib
import sys
import time
from collections import Counter

import cv2
import numpy as np

from printables.reading.photos.sharpness import edge_blur, has_motion_blur
from printables.reading.reader import read_photo
from printables.reading.together.joining import join_photos
from tests.bench.conditions import EFFECTS, LEVELS
from tests.bench.scenes import print_cards, same_groups, score
from tests.bench.tables import pictured, pictured_twice

CONDITIONS = {**LEVELS, **EFFECTS}
JOINED = "joined "
# Condition and number of cards; each is rendered once.
SCENES = "ordinary:60,motion:60,careless:150,messenger:150,defocus:150,joined careless:60"
FIVES, TWENTIES = (tuple(range(0, 360, step)) for step in (5, 20))
# Module, number, and the values that are tried instead.
VARIED = (
    ("reading.detections", "LEAST_CORRELATION", (0.39, 0.89)),
    ("reading.detections", "_LEAST_ROTATED", (0.3, 0.8)),
    ("reading.detections", "_DECODABLE_PX", (0.6, 2.4)),
    ("reading.detections", "_SAME_PLACE", (0.075, 0.3)),
    ("reading.detections", "_ENOUGH", (20, 80)),
    ("reading.symbols.alignment", "_OF_BEST", (0.3, 0.9)),
    ("reading.symbols.rotations", "_SHIFTS", ((0.0,), (-3.0, 0.0, 3.0), (-0.75, 0.0, 0.75))),
    ("reading.symbols.rotations", "_TURNS_DEG", (FIVES, TWENTIES)),
    ("reading.symbols.rotations", "_MOST_COMPARED", (6, 24)),
    ("reading.symbols.blobs", "MODULE_PX", (0.85, 1.3, 3.4)),
    ("reading.deck.matching", "_SURE_LEAD", (1.25, 5.0)),
    ("reading.deck.matching", "_LEAST_FOREIGN", (0.33, 0.82)),
    ("reading.passes", "_NEIGHBOURS_MM", (125.0, 500.0)),
    ("reading.passes", "_CLIPPED", (128, 235, 252)),
    ("reading.photos.sharpness", "_EDGES", (50, 200)),
    ("reading.photos.sharpness", "_REACH_PX", (12, 48)),
    ("reading.photos.sharpness", "_LEAST_CONTRAST", (22, 90)),
    ("reading.photos.sharpness", "_LEAST_EDGES", (6, 24)),
    ("reading.photos.sharpness", "_AGAINST_NOISE_PX", (0.5, 2.0)),
    ("reading.photos.sharpness", "_AROUND", (0.2, 0.8)),
    ("reading.photos.sharpness", "_SYMBOLS", (5, 20)),
    ("reading.photos.sharpness", "_STEEPEST", (0.9, 0.975, 0.99)),
    ("reading.photos.sharpness", "_MOTION_RATIO", (1.5, 6.0)),
    ("reading.advice", "_BLURRED_PX", (0.75, 3.0)),
    ("reading.advice", "_BLURRED_MODULES", (0.225, 0.9)),
    ("reading.advice", "_TOO_SMALL_MODULE_PX", (0.6, 2.4)),
    ("reading.advice", "_NEAR_EDGE", (0.0075, 0.03)),
    ("tabletop.plane", "_BENT_MM", (0.35, 1.4)),
    ("tabletop.registration", "_SUPPORT_MM", (30.0, 120.0)),
    ("tabletop.top_view", "_MARGIN_MM", (250.0, 1000.0)),
    ("tabletop.outlines", "_SAME_CARD", (0.2, 0.7)),
    ("reading.photos.ink", "_CLIPPED", (125, 240, 254)),
    ("tabletop.cut_cards", "_STRIP", (np.array([1.0, 1.75, 2.5]), np.array([4.0, 7.0, 10.0]))),
    ("tabletop.cut_cards", "_SAME_TABLE", (0.06, 0.24)),
    ("tabletop.cut_cards", "_NOT_PAPER", (0.4, 0.9)),
    ("tabletop.cut_cards", "NO_EDGE", (0.15, 0.6)),
    ("tabletop.cut_cards", "_OTHER_SIDES", (0.25, 0.75)),
)


def grey(scene):
    """The photo, decoded."""
    return cv2.imdecode(np.frombuffer(scene.jpeg, np.uint8), cv2.IMREAD_GRAYSCALE)


def symbols(scene):
    """Corners of the symbols in sight."""
    return np.array([scene.corners[code] for code in sorted(scene.visible())])


def rendered(printed, scene):
    """The photos of a scene such as "careless:150": two that overlap if it is joined."""
    name, count = scene.rsplit(":", 1)
    if name.startswith(JOINED):
        return pictured_twice(printed, int(count), CONDITIONS[name.removeprefix(JOINED)], 1)
    return [pictured(printed, int(count), CONDITIONS[name], 1)]


def outcome(deck, scenes):
    """Cards read, false codes, whether the groups are right, unread places and findings."""
    readings = [read_photo(grey(scene), deck) for scene in scenes]
    found = [score(*both) for both in zip(scenes, readings, strict=True)]
    exact, findings = found[0].groups_exact, [f for one in readings for f in one.findings]
    if len(readings) > 1:
        table = join_photos(readings)
        exact = same_groups([(scenes[0].groups[c], group) for c, group in table.groups.items()])
        findings += table.findings
    codes = Counter(finding.code.name.lower() for finding in findings)
    return {
        "read": sum(one.read for one in found),
        "false": sum(one.false for one in found),
        "groups right": "yes" if exact else "no",
        "unread places": sum(len(reading.unread) for reading in readings),
        "blur": [round(edge_blur(grey(scene)) or 0, 2) for scene in scenes],
        "motion": [has_motion_blur(grey(scene), symbols(scene)) for scene in scenes],
        **{f"'{code}'": number for code, number in sorted(codes.items())},
    }


def replaced(module, name, value):
    """Set a number in every module that has it; returns what restores it."""
    home = importlib.import_module(f"printables.{module}")
    before = getattr(home, name)
    holders = [
        one
        for called, one in sys.modules.items()
        if called.startswith("printables.") and getattr(one, name, None) is before
    ]
    for one in holders:
        setattr(one, name, value)
    for one in list(sys.modules.values()):
        if getattr(one, "__name__", "").startswith("printables."):
            for cached in vars(one).values():
                if hasattr(cached, "cache_clear"):
                    cached.cache_clear()
    return lambda: [setattr(one, name, before) for one in holders]


def differences(before, after):
    """What differs between two outcomes, in words."""
    return ", ".join(
        f"{key} {before.get(key, 0)} → {after.get(key, 0)}"
        for key in {**before, **after}
        if before.get(key, 0) != after.get(key, 0)
    )


def main():
    """Vary the numbers and print what changes."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--only", default="", help="last parts of modules, with commas")
    parser.add_argument("--scenes", default=SCENES, help="conditions and numbers of cards")
    chosen = parser.parse_args()
    only = [name for name in chosen.only.split(",") if name]
    names = chosen.scenes.split(",")
    printed = print_cards(max(int(name.rsplit(":", 1)[1]) for name in names))
    scenes = {name: rendered(printed, name) for name in names}
    usual, began = {}, time.process_time()
    for name, photos in scenes.items():
        usual[name] = outcome(printed.deck, photos)
        print(f"{name}: {', '.join(f'{k} {v}' for k, v in usual[name].items())}", flush=True)
    print(f"as it is: {time.process_time() - began:.0f} s of processor time", flush=True)
    for module, name, values in VARIED:
        if only and module.split(".")[-1] not in only:
            continue
        for value in values:
            restore, began = replaced(module, name, value), time.process_time()
            found = {}
            for scene, photos in scenes.items():
                try:
                    found[scene] = differences(usual[scene], outcome(printed.deck, photos))
                except Exception as fault:
                    found[scene] = f"fails with {type(fault).__name__}"
            restore()
            changed = "; ".join(f"{scene}: {what}" for scene, what in found.items() if what)
            shown = f"{len(value)} of them" if np.ndim(value) and len(value) > 3 else value
            spent = time.process_time() - began
            print(f"{module} {name} = {shown}: {changed or 'nothing'} ({spent:.0f} s)", flush=True)


if __name__ == "__main__":
    main()
