"""Double entry: one table recorded twice, and every card on which the two entries differ.

Group numbers of two entries are unrelated, so the groups are paired such that as many cards as
possible are in paired groups; any other card is a disagreement.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from sqlalchemy import select
from sqlalchemy.orm import Session

from analysis.groupings import pair_agreement
from study_app.core.errors import StudyError
from study_app.core.text.languages import rgettext
from study_app.models import Group, Sitting
from study_app.sittings.recording import known_cards
from study_app.sittings.recording.cards import Card
from study_app.sittings.recording.table_rows import rows_of
from study_app.sittings.recording.table_state import fold


class NoSecondEntry(StudyError):
    """The sitting has no second entry."""

    status = 404

    def __init__(self, sitting: Sitting) -> None:
        super().__init__(rgettext("Sitting %(code)s was recorded only once.", code=sitting.code))


@dataclass(frozen=True)
class Difference:
    """A card on which two entries differ; a group is None if it was not placed."""

    stimulus: Card
    first: Group | None
    second: Group | None


@dataclass(frozen=True)
class Comparison:
    """Two entries of a table.

    Attributes
    ----------
    again : Sitting
        The second entry.
    both : int
        Cards that both entries placed.
    f : float
        BCubed F of the two over those cards; 1 if they agree completely, NaN without cards.
    differences : list of Difference
        By card number.
    """

    again: Sitting
    both: int
    f: float
    differences: Sequence[Difference]


def again_of(session: Session, sitting: Sitting) -> Sitting | None:
    """The second entry of a sitting, or None."""
    return session.scalar(select(Sitting).where(Sitting.first_entry_id == sitting.id))


def compare(session: Session, first: Sitting) -> Comparison:
    """Compare a sitting with its second entry.

    Returns
    -------
    Comparison
    """
    again = again_of(session, first)
    if again is None:
        raise NoSecondEntry(first)
    placed = fold(rows_of(session, first))
    placed_again = fold(rows_of(session, again))
    partner = pair_groups(placed, placed_again)
    differing = [
        stimulus
        for stimulus in placed.keys() | placed_again.keys()
        if stimulus not in placed
        or stimulus not in placed_again
        or partner.get(placed[stimulus]) != placed_again[stimulus]
    ]
    groups = {g.id: g for g in [*first.groups, *again.groups]}
    stimuli = {s.id: s for s in known_cards.deck_of(session, first).stimuli.values()}
    both = sorted(placed.keys() & placed_again.keys())
    return Comparison(
        again=again,
        both=len(both),
        f=_agreement([placed[s] for s in both], [placed_again[s] for s in both]),
        differences=[
            Difference(stimulus, groups.get(placed.get(s, 0)), groups.get(placed_again.get(s, 0)))
            for s, stimulus in stimuli.items()
            if s in differing
        ],
    )


def pair_groups(placed: Mapping[int, int], placed_again: Mapping[int, int]) -> dict[int, int]:
    """Pair the groups of two entries so that most cards are in paired groups.

    Parameters
    ----------
    placed, placed_again : dict of int to int
        Stimulus to group.

    Returns
    -------
    dict of int to int
        Group of the first entry to group of the second.
    """
    from scipy.optimize import linear_sum_assignment

    firsts, seconds = sorted(set(placed.values())), sorted(set(placed_again.values()))
    shared = np.zeros((len(firsts), len(seconds)), dtype=int)
    for stimulus in placed.keys() & placed_again.keys():
        shared[firsts.index(placed[stimulus]), seconds.index(placed_again[stimulus])] += 1
    rows, columns = linear_sum_assignment(shared, maximize=True)
    return {
        firsts[row]: seconds[column]
        for row, column in zip(rows, columns, strict=True)
        if shared[row, column]
    }


def _agreement(first: Sequence[int], second: Sequence[int]) -> float:
    if not first:
        return float("nan")
    numbered = [np.unique(side, return_inverse=True)[1] for side in (first, second)]
    return pair_agreement.bcubed(*numbered).f
