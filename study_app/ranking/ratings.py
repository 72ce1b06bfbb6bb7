"""The scores that count: what the ground truth of a task is computed from."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import aliased

from study_app.models import Participant, Stimulus
from study_app.models.ranking import AssignedQuery, RankingQuery, RankingSitting, Score


@dataclass(frozen=True)
class Rating:
    """One participant's score of one image against one query."""

    participant: str
    query: str
    stimulus: str
    score: float
    simulated: bool


@dataclass(frozen=True)
class Withdrawal:
    """A participant whose scores were removed, when, and by whom (participant or researcher)."""

    participant: str
    at: datetime
    by: str


@dataclass(frozen=True)
class Ratings:
    """What a task has gathered.

    Attributes
    ----------
    rows : list of Rating
        Ordered by participant, query and image; ids are participant codes and stimulus names.
    best : str
        Which end of the scale is most similar: "low" or "high".
    withdrawals : list of Withdrawal
        Whose scores are not there any more.
    """

    rows: list[Rating]
    best: str
    withdrawals: list[Withdrawal]

    @property
    def simulated(self):
        """Whether a program gave any of the scores."""
        return any(row.simulated for row in self.rows)


def ratings_of(session, task, *, unfinished=False, queries=None):
    """The scores of a task from everybody who finished; try-outs and withdrawn people never.

    Parameters
    ----------
    session : sqlalchemy.orm.Session
    task : study_app.models.ranking.RankingTask
    unfinished : bool
        Also the queries handed in by people who are still at it or gave up: for looking on, not
        for a ground truth.
    queries : list of int or None
        Only these; None is all of them.

    Returns
    -------
    Ratings
        Practice, repeated queries, attention checks and images that did not load are left out.
    """
    query_stimulus = aliased(Stimulus)
    chosen = (
        select(
            Participant.code,
            query_stimulus.name,
            Stimulus.name,
            Score.value,
            Participant.simulated,
        )
        .select_from(Score)
        .join(AssignedQuery, AssignedQuery.id == Score.assigned_query_id)
        .join(RankingSitting, RankingSitting.id == AssignedQuery.sitting_id)
        .join(Participant, Participant.id == RankingSitting.participant_id)
        .join(RankingQuery, RankingQuery.id == AssignedQuery.query_id)
        .join(query_stimulus, query_stimulus.id == RankingQuery.stimulus_id)
        .join(Stimulus, Stimulus.id == Score.stimulus_id)
        .where(*_counting(task, unfinished), *_among(queries))
        .order_by(Participant.code, RankingQuery.number, Stimulus.name)
    )
    rows = [Rating(*row) for row in session.execute(chosen)]
    return Ratings(rows, task.best, withdrawals_of(session, task))


def withdrawals_of(session, task):
    """Who withdrew from a task, in order."""
    chosen = (
        select(Participant.code, RankingSitting.withdrawn_at, RankingSitting.withdrawn_by)
        .join(RankingSitting, RankingSitting.participant_id == Participant.id)
        .where(
            RankingSitting.task_id == task.id,
            RankingSitting.purpose != "tryout",
            RankingSitting.withdrawn_at.is_not(None),
        )
        .order_by(RankingSitting.withdrawn_at, Participant.code)
    )
    return [Withdrawal(*row) for row in session.execute(chosen)]


def _among(queries):
    return [] if queries is None else [AssignedQuery.query_id.in_(queries)]


def _counting(task, unfinished):
    conditions = [
        RankingSitting.task_id == task.id,
        RankingSitting.purpose != "tryout",
        RankingSitting.withdrawn_at.is_(None),
        AssignedQuery.kind == "main",
        AssignedQuery.handed_in_at.is_not(None),
        Score.value.is_not(None),
        # The sketch's own copy among the images is an attention check.
        ~(AssignedQuery.checked & (Score.stimulus_id == RankingQuery.stimulus_id)),
    ]
    return conditions if unfinished else [*conditions, RankingSitting.finished_at.is_not(None)]
