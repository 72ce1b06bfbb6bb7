"""What a reading has to say beside its codes, as a code with its facts; `wording` makes sentences.

A page, a command or a test asks for the code and the facts; nobody reads a sentence back.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Code(StrEnum):
    """What was found.

    Each with its facts: `cards`, `groups` and `photos` are lists of codes or of numbers from 1.
    """

    NOTHING_FOUND = "nothing_found"
    """No card at all; `blurred`."""
    CARDS_PLACED = "cards_placed"
    """Of a known deck's cards: `placed`, `expected`."""
    CARDS_UNREAD = "cards_unread"
    """Cards seen and not read: `count`, `cause` (see `Cause`), `module_px` where they are small."""
    PAPER_UNEXPLAINED = "paper_unexplained"
    """Light places that no card explains: `count`, `places`, corners in the photo's pixels."""
    GROUPS_UNCERTAIN = "groups_uncertain"
    """Groups that may be one, or one that may be two: `groups`, `reason` (see `Doubt`)."""
    CARDS_PILED = "cards_piled"
    """Cards that lie over each other: `count`, `group`."""
    CARD_IN_TWO_PLACES = "card_in_two_places"
    """`card`, which photos or groups show in two places; `groups` it is seen in."""
    PHOTO_APART = "photo_apart"
    """`photos` that share no card with the others."""
    PHOTOS_DISAGREE = "photos_disagree"
    """`photos` of which one shows two `cards` in one group and the other in two."""


class Cause(StrEnum):
    """Why cards were not read."""

    BLURRED = "blurred"
    MOVED = "moved"
    TOO_FAR = "too_far"
    CUT_OFF = "cut_off"
    GLARE = "glare"
    COVERED = "covered"


class Doubt(StrEnum):
    """Why groups are in doubt."""

    UNREAD_BETWEEN = "unread_between"
    PAPER_BETWEEN = "paper_between"
    GAP_UNCLEAR = "gap_unclear"


@dataclass(frozen=True)
class Finding:
    """One finding: its code, and facts that can be written as JSON."""

    code: Code
    facts: dict[str, Any] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """The finding as plain values."""
        return {"code": str(self.code), "facts": self.facts}

    @classmethod
    def from_json(cls, kept: dict[str, Any]) -> "Finding":
        """What `as_json` gave."""
        return cls(Code(kept["code"]), kept["facts"])
