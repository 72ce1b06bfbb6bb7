"""Findings of a reading: each is a code with facts, and `wording` turns it into a sentence.

Pages, commands and tests use the code and the facts and never parse a sentence.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray


class Code(StrEnum):
    """Kinds of findings.

    The text of each kind lists its facts: `cards` are codes, `groups` and `photos` are numbers
    from 1.
    """

    NOTHING_FOUND = "nothing_found"
    """No card was found: `blurred`, and `overexposed` if it is, or `moved` if the photo shows
    everything twice."""
    PHOTO_MIRRORED = "photo_mirrored"
    """The photo is mirrored."""
    CARDS_PLACED = "cards_placed"
    """Number of the deck's cards in the photo, and in the deck: `placed`, `expected`."""
    CARDS_UNREAD = "cards_unread"
    """Cards detected but not read: `count`, `cause` (see `Cause`), `module_px` if too far away."""
    PAPER_UNEXPLAINED = "paper_unexplained"
    """White areas that are not part of a known card: `count`, `places` (corners in pixels)."""
    CARDS_HIDDEN = "cards_hidden"
    """Something beside these groups is wide enough to hide a missing card: `groups`, and `glare` if
    it is a lamp's, `shadows` if they are on many cards, or `overexposed` if the photo is."""
    CARDS_UNSEEN = "cards_unseen"
    """Cards of the deck of which photos of the whole table show nothing: `count`."""
    GROUPS_UNCERTAIN = "groups_uncertain"
    """Several groups that may be one, or one that may be two: `groups`, `reason` (a `Doubt`);
    `several` instead of `groups` if several such findings were put together."""
    CARDS_PILED = "cards_piled"
    """Overlapping cards: `count`, `group`."""
    CARDS_OVERLAID = "cards_overlaid"
    """Paper without a readable card lies under or over read cards of these groups: `groups`."""
    CARD_IN_TWO_PLACES = "card_in_two_places"
    """A card that appears in two places: `card`, and the `groups` it is in."""
    PHOTO_APART = "photo_apart"
    """Photos that share no card with the others: `photos`."""
    PHOTO_DIFFERS = "photo_differs"
    """Photos of another table, or taken before or after cards were moved: `photos`."""
    PHOTOS_DISAGREE = "photos_disagree"
    """Two cards that are in one group in one photo but not in another: `photos`, `cards`."""


class Cause(StrEnum):
    """Why cards were not read."""

    BLURRED = "blurred"
    MOVED = "moved"
    TOO_FAR = "too_far"
    CUT_OFF = "cut_off"
    CUT_SHORT = "cut_short"
    GLARE = "glare"
    SHADOWS = "shadows"
    OVEREXPOSED = "overexposed"
    PALE_PRINT = "pale_print"
    COVERED = "covered"


class Doubt(StrEnum):
    """Why groups are in doubt."""

    UNREAD_BETWEEN = "unread_between"
    FOREIGN_BETWEEN = "foreign_between"
    PAPER_BETWEEN = "paper_between"
    HIDDEN_BETWEEN = "hidden_between"
    GAP_UNCLEAR = "gap_unclear"


@dataclass(frozen=True)
class Finding:
    """One finding: its code, and facts that can be stored as JSON."""

    code: Code
    facts: dict[str, Any] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """The finding as a dict."""
        return {"code": str(self.code), "facts": self.facts}

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> "Finding":
        """The finding from the result of `as_json`."""
        return cls(Code(stored["code"]), stored["facts"])


def paper_findings(scraps: NDArray[np.float64]) -> list[Finding]:
    """Report scraps of paper.

    Parameters
    ----------
    scraps : float array, shape (scraps, 4, 2)
        Outlines, pixels.

    Returns
    -------
    list of Finding
    """
    facts = {"count": len(scraps), "places": np.round(scraps, 1).tolist()}
    return [Finding(Code.PAPER_UNEXPLAINED, facts)] if len(scraps) else []


def put_together(findings: Iterable[Finding]) -> list[Finding]:
    """Put groups that are in doubt for the same reason into one finding.

    Parameters
    ----------
    findings : iterable of Finding

    Returns
    -------
    list of Finding
        In the order of the first of each.

    Examples
    --------
    >>> doubts = [
    ...     Finding(Code.GROUPS_UNCERTAIN, {"groups": groups, "reason": "hidden_between"})
    ...     for groups in ([1, 2], [4, 5], [3])
    ... ]
    >>> [found.facts.get("several") for found in put_together(doubts)]
    [[[1, 2], [4, 5]], None]
    """
    alike: dict[object, list[Finding]] = {}
    for number, finding in enumerate(findings):
        key: object = number
        if finding.code == Code.GROUPS_UNCERTAIN:
            key = finding.facts["reason"], len(finding.facts["groups"]) > 1
        alike.setdefault(key, []).append(finding)
    return [
        first
        if not more
        else Finding(
            first.code,
            {
                "several": [found.facts["groups"] for found in (first, *more)],
                "reason": first.facts["reason"],
            },
        )
        for first, *more in alike.values()
    ]
