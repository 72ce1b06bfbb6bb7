"""From photos of a table to groups that the conductor confirms or corrects.

Overlapping photos are joined by the cards that they share (`printables.joining`). A group that is
recorded already goes on with its cards.
"""

from collections import Counter
from dataclasses import dataclass

import numpy as np

from printables.codes import decode
from printables.joining import join_photos
from printables.reader import PhotoReading, ReadSymbol
from printables.table import TablePlan


@dataclass(frozen=True)
class Proposal:
    """Groups that photos show.

    Attributes
    ----------
    groups : list of dict
        `key` of a recorded group or a new one, and `cards`, stimuli.
    conflicts : list of str
        What the photos do not agree on, in sentences.
    """

    groups: list
    conflicts: list


def propose(photos, placed):
    """Propose groups for the cards of some photos.

    Parameters
    ----------
    photos : list of (int, dict)
        Number of each photo, and its reading as `photo_files.add` kept it.
    placed : dict of int to str
        Stimulus to the key of the group that it is recorded in already.

    Returns
    -------
    Proposal
    """
    shown = [(photo_id, reading) for photo_id, reading in photos if reading["cards"]]
    if len(shown) > 1:
        groups, conflicts = _joined([reading for _id, reading in shown])
    else:
        groups, conflicts = _as_seen([reading for _id, reading in shown]), []
    recorded_keys, used, proposed = set(placed.values()), set(), []
    for number in sorted(set(groups.values())):
        cards = [stimulus for stimulus, group in groups.items() if group == number]
        recorded = Counter(placed[s] for s in cards if s in placed and placed[s] not in used)
        key = recorded.most_common(1)[0][0] if recorded else f"photo-{shown[0][0]}-{number}"
        while key in used or (not recorded and key in recorded_keys):
            key += "-again"
        used.add(key)
        proposed.append({"key": key, "cards": cards})
    return Proposal(proposed, conflicts)


def _as_seen(readings):
    return {c["stimulus"]: c["group"] for reading in readings for c in reading["cards"]}


def _joined(readings):
    """The groups of all cards over several photos, and what the photos do not agree on."""
    stimulus = {c["code"]: c["stimulus"] for reading in readings for c in reading["cards"]}
    table = join_photos([_as_read(reading) for reading in readings])
    conflicts = []
    for sentence in table.conflicts:
        for code in stimulus.keys() - table.groups.keys():
            sentence = sentence.replace(code, str(decode(code).card))
        conflicts.append(sentence[0].upper() + sentence[1:] + ".")
    return {stimulus[code]: group for code, group in table.groups.items()}, conflicts


def _as_read(reading):
    """A kept reading as the reader gave it, as far as joining asks."""
    cards = reading["cards"]
    symbols = tuple(
        ReadSymbol(c["code"], np.array(c["corners"]), c["how"], c["margin"], c["group"])
        for c in cards
    )
    plan = TablePlan(np.eye(3), np.array([c["place_mm"] for c in cards]))
    return PhotoReading(0, 0, symbols, (), np.zeros((0, 4, 2)), (), plan)
