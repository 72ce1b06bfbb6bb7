"""Numbers of people and trials behind a result, without and with excluded ones."""

from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from study_app.models import Sitting, StimulusSet
from study_app.models.participation import WebSitting
from study_app.models.ranking import AssignedQuery, RankingTask
from study_app.participation.people import included
from study_app.participation.sittings import parts


@dataclass(frozen=True)
class Counts:
    """Numbers behind a result.

    Attributes
    ----------
    people, people_with_excluded : int
        Participants, or assessors (a joint pair counts once), without and with excluded ones.
    trials, trials_with_excluded : int
        Finished sittings of a set, or submitted queries of a task.
    """

    people: int
    people_with_excluded: int
    trials: int
    trials_with_excluded: int

    @property
    def excluded(self) -> bool:
        """Whether anything is excluded."""
        return self.trials != self.trials_with_excluded


NO_COUNTS = Counts(0, 0, 0, 0)


def of_set(session: Session, stimulus_set: StimulusSet) -> Counts:
    """The counts behind the gold standard of a set; a sitting is one trial of one assessor."""
    counts = []
    for excluded_too in (False, True):
        chosen = select(func.count()).where(
            Sitting.set_id == stimulus_set.id, *included.sittings(excluded_too)
        )
        counts.append(session.scalars(chosen).one())
    return Counts(counts[0], counts[1], counts[0], counts[1])


def withdrawn_of_set(session: Session, stimulus_set: StimulusSet) -> int:
    """The number of withdrawn sittings of a set, without second entries and retests."""
    chosen = select(func.count()).where(
        Sitting.set_id == stimulus_set.id,
        Sitting.state == "withdrawn",
        Sitting.first_entry_id.is_(None),
        Sitting.retest_of_id.is_(None),
    )
    return session.scalars(chosen).one()


def of_task(session: Session, task: RankingTask) -> Counts:
    """The counts behind the ground truth of a task: participants who finished it or a part."""
    there = select(WebSitting.id).where(WebSitting.task_id == task.id, *included.web_sittings())
    is_included = WebSitting.id.in_(there.correlate(None))
    finished = (
        select(
            func.count().label("trials_with"),
            func.count()
            .filter(is_included, *included.trials(AssignedQuery.position))
            .label("trials"),
        )
        .select_from(AssignedQuery)
        .join(WebSitting, WebSitting.id == AssignedQuery.sitting_id)
        .where(
            WebSitting.task_id == task.id,
            AssignedQuery.kind == "main",
            AssignedQuery.submitted_at.is_not(None),
            parts.is_counted(AssignedQuery.part),
            *included.web_sittings(excluded_too=True),
        )
        .group_by(WebSitting.id)
        .subquery()
    )
    people = func.count().filter(finished.c.trials > 0), func.count()
    trials = func.sum(finished.c.trials), func.sum(finished.c.trials_with)
    found = session.execute(select(*people, *trials).select_from(finished)).one()
    return Counts(*(int(count or 0) for count in found))
