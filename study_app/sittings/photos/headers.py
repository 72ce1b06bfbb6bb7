"""Header cards ("Group 3") in photos of a table: each gives the number of its group.

A header card belongs to the card nearest to it, within the largest gap inside a group; so it
belongs to the same group however photos are joined and groups corrected.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from printables.tabletop.outlines import outline_distances
from study_app.sittings.photos.conflicts import Code, HeaderConflict
from study_app.sittings.recording.known_cards import header_codes


def place_headers(
    read: Sequence[Mapping[str, Any]], cards: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """Header cards of a photo, each with its nearest card.

    Parameters
    ----------
    read : list of dict
        All codes that were read, each with `code`, `corners` and `outline` in the photo's pixels,
        and `place_mm` on the table.
    cards : list of dict
        The cards among them, each with its `stimulus`.

    Returns
    -------
    list of dict
        `number`, `corners` of the symbol and `outline` of the card in the photo's pixels,
        `place_mm` of the card on the table, and `beside`, the nearest stimulus or None.
    """
    numbers = header_codes()
    return [
        {
            "number": numbers[header["code"]],
            "corners": header["corners"],
            "outline": header["outline"],
            "place_mm": header["place_mm"],
            "beside": _nearest(header["place_mm"], cards),
        }
        for header in read
        if header["code"] in numbers
    ]


def _nearest(outline: ArrayLike, cards: Sequence[Mapping[str, Any]]) -> int | None:
    """The stimulus of the nearest card, if it is as near as cards of one group can be."""
    from printables.tabletop.grouping import LARGEST_GAP_MM

    places = np.array([outline, *(card["place_mm"] for card in cards)])
    first, second, distances = outline_distances(places, LARGEST_GAP_MM)
    from_header = first == 0
    if not from_header.any():
        return None
    return cards[second[from_header][distances[from_header].argmin()] - 1]["stimulus"]


def number_groups(
    readings: Sequence[Mapping[str, Any]], groups: Mapping[int, int]
) -> tuple[dict[int, int], list[HeaderConflict]]:
    """Find the groups numbered by header cards, and conflicts between header cards.

    Parameters
    ----------
    readings : list of dict
        The stored readings of photos.
    groups : dict of int to int
        Stimulus to group, over all these photos.

    Returns
    -------
    numbers : dict of int to int
        Group to the number on its header card.
    conflicts : list of HeaderConflict
    """
    lies_in, loose = defaultdict(set), set()
    for header in (header for reading in readings for header in reading["headers"]):
        if header["beside"] in groups:
            lies_in[header["number"]].add(groups[header["beside"]])
        else:
            loose.add(header["number"])
    led_by = defaultdict(list)
    for number in sorted(lies_in):
        for group in lies_in[number]:
            led_by[group].append(number)
    numbers = {
        group: of[0] for group, of in led_by.items() if len(of) == 1 and len(lies_in[of[0]]) == 1
    }
    return numbers, [*_disagreements(lies_in, led_by), *_alone(loose - set(lies_in))]


def _disagreements(
    lies_in: Mapping[int, set[int]], led_by: Mapping[int, list[int]]
) -> Iterator[HeaderConflict]:
    for number, places in sorted(lies_in.items()):
        if len(places) > 1:
            yield HeaderConflict(Code.HEADER_IN_GROUPS, header=number, groups=len(places))
    for several in sorted(of for of in led_by.values() if len(of) > 1):
        yield HeaderConflict(Code.HEADERS_IN_GROUP, headers=tuple(several))


def _alone(loose: Iterable[int]) -> Iterator[HeaderConflict]:
    for number in sorted(loose):
        yield HeaderConflict(Code.HEADER_ALONE, header=number)
