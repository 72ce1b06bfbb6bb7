"""The gold standard of a set: similarity, agreement, consensus groups."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import astuple, dataclass, replace
from typing import TYPE_CHECKING

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from study_app.core.caching import shared_results
from study_app.core.caching.cache import fingerprint
from study_app.core.database import own_session
from study_app.models import (
    Participant,
    Sitting,
    SittingAssessor,
    Stimulus,
    StimulusSet,
    Study,
)
from study_app.participation.people import included
from study_app.results.gold import caching
from study_app.results.gold.counts import NO_COUNTS, Counts, of_set
from study_app.sittings.groupings import NOT_PLACED, SetGroupings, groupings_of_set

if TYPE_CHECKING:
    from analysis.groupings.set_agreement import SetAgreement

# Sketches times the square of assessors, and sketches, up to which a page waits a fifth of a second
# for the result instead of starting a job: all pairs of assessors are permuted a thousand times,
# and the order of the matrix takes a time that grows with the square of the sketches.
AT_ONCE, SKETCHES_AT_ONCE = 50_000, 400
# The permutations of the last gold standard that was stored, to which further sittings are added.
LATEST = "latest"


@dataclass(frozen=True)
class SetGold:
    """The gold standard of a set.

    Attributes
    ----------
    fingerprint : str
        Fingerprint of the judgments behind it.
    groupings : SetGroupings
    found : analysis.groupings.set_agreement.SetAgreement or None
        None if no sitting is finished.
    order : list of int
        The stimuli (columns) in the order of the matrix, with similar ones next to each other.
    simulated : bool
        Whether a program sorted any of it.
    counts : study_app.results.gold.counts.Counts
        Numbers behind it, without and with excluded data.
    """

    fingerprint: str
    groupings: SetGroupings
    found: SetAgreement | None
    order: Sequence[int]
    simulated: bool = False
    counts: Counts = NO_COUNTS

    @property
    def result(self) -> SetAgreement:
        """The result of a set with a finished sitting."""
        if self.found is None:
            raise ValueError("nobody has finished a sitting of this set")
        return self.found

    @property
    def consensus(self) -> list[list[int]]:
        """The consensus groups, largest first, each a list of columns in matrix order."""
        groups = self.result.consensus.groups.tolist()
        found: list[list[int]] = [[] for _ in range(max(groups) + 1)]
        for column in self.order:
            if groups[column] != NOT_PLACED:
                found[groups[column]].append(column)
        return found


def fingerprint_of(session: Session, stimulus_set: StimulusSet) -> str:
    """A value that changes with the groupings of a set."""
    sittings = session.execute(
        select(Sitting.number, Sitting.revision, Participant.code)
        .join(SittingAssessor, SittingAssessor.sitting_id == Sitting.id)
        .join(Participant, Participant.id == SittingAssessor.participant_id)
        .where(Sitting.set_id == stimulus_set.id, *included.sittings())
        .order_by(Sitting.number, Participant.id)
    ).all()
    stimuli = session.execute(
        select(func.count(), func.max(Stimulus.id)).where(Stimulus.set_id == stimulus_set.id)
    ).one()
    behind = astuple(of_set(session, stimulus_set))
    return fingerprint(stimulus_set.id, behind, [list(row) for row in sittings], list(stimuli))


def ready(session: Session, stimulus_set: StimulusSet) -> SetGold | None:
    """The cached gold standard of a set, or None."""
    return caching.ready(session, _KIND, stimulus_set)


def compute(set_id: int) -> SetGold:
    """The gold standard of a set, computed or from the cache."""
    return caching.compute(_KIND, set_id)


def share(set_id: int) -> None:
    """Compute it, and store it for the web processes of every host; for jobs."""
    gold = caching.share(_KIND, set_id)
    if gold.found is not None and _takes_long(*gold.groupings.matrix.shape):

        def is_current() -> bool:
            with own_session() as session:
                return fingerprint_of(session, session.get_one(StimulusSet, set_id)) == mark

        mark = gold.fingerprint
        shared_results.put(_about_draws(set_id), LATEST, gold.found.drawn, is_current)


def is_quick(session: Session, stimulus_set: StimulusSet, together: int = 1) -> bool:
    """Whether computing so many of this size takes at most about a fifth of a second."""
    of_set = Sitting.set_id == stimulus_set.id, Stimulus.set_id == stimulus_set.id
    sittings, stimuli = (session.scalars(select(func.count()).where(of)).one() for of in of_set)
    return not _takes_long(sittings, stimuli, together)


def has_simulated(session: Session, stimulus_set: StimulusSet) -> bool:
    """Whether the study, or any grouping of this set, is simulated."""
    of_set = select(SittingAssessor.participant_id).join(Sitting)
    of_set = of_set.where(Sitting.set_id == stimulus_set.id)
    people = select(Participant.id).where(Participant.simulated, Participant.id.in_(of_set))
    study = session.get_one(Study, stimulus_set.study_id)
    return study.simulated or session.scalar(people.limit(1)) is not None


def _collect(session: Session, stimulus_set: StimulusSet, mark: str) -> Callable[[], SetGold]:
    groupings = groupings_of_set(session, stimulus_set)
    simulated = has_simulated(session, stimulus_set)
    counts, set_id = of_set(session, stimulus_set), stimulus_set.id
    return lambda: replace(_computed(mark, groupings, set_id), simulated=simulated, counts=counts)


def _takes_long(sittings: int, stimuli: int, together: int = 1) -> bool:
    sketches = stimuli * together
    return sittings**2 * sketches > AT_ONCE or sketches > SKETCHES_AT_ONCE


def _about_draws(set_id: int) -> tuple[str, int]:
    return "draws", set_id


def _computed(mark: str, groupings: SetGroupings, set_id: int) -> SetGold:
    from analysis.groupings.hierarchy import average_linkage, seriate
    from analysis.groupings.set_agreement import study_set

    if not groupings.participants or not groupings.stimuli:
        return SetGold(mark, groupings, None, [])
    takes_long = _takes_long(*groupings.matrix.shape)
    before = shared_results.fetch(_about_draws(set_id), LATEST) if takes_long else None
    found = study_set(groupings.matrix, before=before)
    order = [0]
    if len(groupings.stimuli) > 1:
        counts = found.counts()
        order = seriate(counts, average_linkage(counts)).tolist()
    return SetGold(mark, groupings, found, order)


def _figure(gold: SetGold) -> caching.Figure:
    if gold.found is None:
        return caching.Figure("F", None, None, 0)
    mean = gold.found.mean
    return caching.Figure("F", mean.f, mean.f_random, gold.found.participants)


_KIND = caching.Kind("set", StimulusSet, fingerprint_of, _collect, _figure)
