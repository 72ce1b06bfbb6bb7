"""Which recorded group each group in the photos is, and the keys of new groups.

A card whose group the conductor chose stays there, wherever photos show it: the conductor corrected
a photo, which later photos may repeat.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from basics.wordings import Wording
from study_app.core.text.languages import translatable
from study_app.sittings.photos.conflicts import Code, HeaderConflict


@dataclass(frozen=True)
class Recorded:
    """The recorded state of a table.

    Attributes
    ----------
    placed : dict of int to str
        Stimulus to the key of its group.
    numbers : dict of str to int
        Key to number of every group.
    by_hand : dict of int to (str or None)
        Stimuli whose group the conductor chose, each with the key of its group before.
    """

    placed: Mapping[int, str]
    numbers: Mapping[str, int]
    by_hand: Mapping[int, str | None] = field(default_factory=dict)


class Kept(NamedTuple):
    """A card that stays in the group `key`, which the conductor chose; photos show it in `shown`,
    or apart from all other cards if that is None."""

    stimulus: int
    key: str
    shown: str | None


_STAYS = translatable(
    "Card %(cards)s stays in group %(group)s, where it was put by hand; the photo shows it "
    "elsewhere."
)
_SEVERAL_STAY = translatable(
    "Cards %(cards)s stay in group %(group)s, where they were put by hand; the photo shows them "
    "elsewhere."
)


def in_words(kept: Sequence[Kept], number: Mapping[int, int]) -> list[tuple[str, list[Kept]]]:
    """A sentence on the cards that are kept in one group and shown in one other, and these cards.

    Parameters
    ----------
    kept : list of Kept
    number : dict of int to int
        Card number of each stimulus.
    """
    alike: dict[tuple[str, str | None], list[Kept]] = {}
    for one in kept:
        alike.setdefault((one.key, one.shown), []).append(one)
    return [
        (
            Wording(
                _STAYS if len(cards) == 1 else _SEVERAL_STAY,
                cards=", ".join(str(card) for card in sorted(number[s] for s, _, _ in cards)),
                group=f"{{{key}}}",
            ),
            cards,
        )
        for (key, _shown), cards in alike.items()
    ]


class GroupKeys:
    """The keys of the groups in the photos: each is a recorded group or a new one.

    Attributes
    ----------
    of : dict of int to str
        The key of each group in the photos.
    """

    def __init__(self, recorded: Recorded, cards: Mapping[int, Sequence[int]]) -> None:
        """`cards` has the stimuli of each group in the photos."""
        self.recorded, self.cards = recorded, cards
        self.of: dict[int, str] = {}

    def _free(self, key: str | None) -> bool:
        return key not in self.of.values()

    def continue_recorded(self) -> None:
        """Let each group continue the recorded group with most of its cards.

        Of several such groups, the one with most cards that were not moved there by hand does: a
        conductor who merged two groups did not swap them.
        """
        evidence = {group: self._evidence(stimuli) for group, stimuli in self.cards.items()}
        wanted = {group: _most_first(held) for group, held in evidence.items()}
        continuing: dict[str, int] = {}
        waiting = list(self.cards)
        while waiting:
            group = waiting.pop(0)
            while wanted[group]:
                key = wanted[group].pop(0)
                other = continuing.get(key)
                if other is None or evidence[group][key] > evidence[other][key]:
                    continuing[key] = group
                    waiting += [] if other is None else [other]
                    break
        self.of = {group: key for key, group in continuing.items()}

    def _evidence(self, stimuli: Sequence[int]) -> dict[str, tuple[int, int]]:
        """How many of these cards each recorded group has: others, and moved there by hand.

        A card beside the cards from which it was moved by hand counts nothing.
        """
        placed = self.recorded.placed
        moved = {s: key for s, key in self.recorded.by_hand.items() if key is not None}
        here = {placed[s] for s in stimuli if s in placed}
        others = Counter(placed[s] for s in stimuli if s in placed and s not in moved)
        chosen = Counter(placed[s] for s in stimuli if s in moved and moved[s] not in here)
        return {key: (others[key], chosen[key]) for key in sorted(here)}

    def number(self, group: int, number: int) -> Iterator[HeaderConflict]:
        """Give a group the number on its header card; yields a conflict if that is impossible."""
        recorded_number = self.recorded.numbers.get(self.of.get(group, ""))
        key = self._numbered(number)
        if recorded_number is not None and recorded_number != number:
            yield HeaderConflict(Code.GROUP_HAS_NUMBER, header=number, group=recorded_number)
        elif recorded_number is None and not self._free(key):
            yield HeaderConflict(Code.HEADER_APART, header=number)
        elif recorded_number is None:
            self.of[group] = key
            if self.recorded.numbers.get(key) is None and self._is_taken(number):
                yield HeaderConflict(Code.NUMBER_TAKEN, header=number)

    def _numbered(self, number: int) -> str:
        """The key of the group that a header card starts, or of an empty group with its number."""
        numbers, held = self.recorded.numbers, set(self.recorded.placed.values())
        emptied = (key for key in numbers if numbers[key] == number and key not in held)
        return next(emptied, f"header-{number}")

    def _is_taken(self, number: int) -> bool:
        return number in self.recorded.numbers.values()

    def open_others(self, photo_id: int) -> None:
        """Open a group for all that continue no group and have no header card."""
        taken = set(self.recorded.placed.values())
        for group in self.cards:
            if group not in self.of:
                key = f"photo-{photo_id}-{group}"
                while key in taken or not self._free(key):
                    key += "-again"
                self.of[group] = key

    def keep(self) -> list[Kept]:
        """The cards that stay where the conductor put them, though photos show them elsewhere.

        A group of such cards only is named after the group that most of them are in.
        """
        placed, kept = self.recorded.placed, []
        for group, stimuli in self.cards.items():
            shown: str | None = self.of[group]
            staying = [s for s in stimuli if self._stays(s, group)]
            if len(staying) == len(stimuli):
                self.of[group] = Counter(placed[s] for s in stimuli).most_common(1)[0][0]
                shown = None
            kept += [Kept(s, placed[s], shown) for s in staying]
        return kept

    def _stays(self, stimulus: int, group: int) -> bool:
        by_hand = stimulus in self.recorded.by_hand
        return by_hand and self.recorded.placed[stimulus] != self.of[group]

    def proposed(self, headers: Mapping[int, int]) -> list[dict[str, Any]]:
        """The groups, as in `Proposal.groups`; `headers` has the number on their header cards."""
        together: dict[str, list[int]] = {}
        numbered: dict[str, int] = {}
        for group, stimuli in self.cards.items():
            for stimulus in stimuli:
                stays = self._stays(stimulus, group)
                key = self.recorded.placed[stimulus] if stays else self.of[group]
                together.setdefault(key, []).append(stimulus)
            if group in headers:
                numbered.setdefault(self.of[group], headers[group])
        groups = [
            {"key": key, "cards": stimuli, "header": numbered.get(key)}
            for key, stimuli in together.items()
        ]
        return sorted(groups, key=lambda group: group["header"] or np.inf)


def _most_first(held: Mapping[str, tuple[int, int]]) -> list[str]:
    """Keys of recorded groups, those with most cards first."""
    return sorted(held, key=lambda key: (sum(held[key]), held[key][0]), reverse=True)
