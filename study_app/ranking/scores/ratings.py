"""The scores that count: what the ground truth of a task is computed from."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session, aliased

from study_app.models import Participant, Stimulus
from study_app.models.participation import WebSitting
from study_app.models.ranking import AssignedQuery, RankingQuery, RankingTask, Score
from study_app.participation.people import included
from study_app.participation.people.withdrawal import Withdrawal, withdrawals_of
from study_app.participation.sittings import parts


@dataclass(frozen=True)
class Rating:
    """One participant's score of one image against one query."""

    participant: str
    query: str
    stimulus: str
    score: float
    simulated: bool


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
    def simulated(self) -> bool:
        """Whether a program gave any of the scores."""
        return any(row.simulated for row in self.rows)


def ratings_of(
    session: Session,
    task: RankingTask,
    *,
    unfinished: bool = False,
    queries: Sequence[int] | None = None,
) -> Ratings:
    """The scores of a task from everybody who finished, or did a part, and counts (`included`).

    Parameters
    ----------
    session : sqlalchemy.orm.Session
    task : study_app.models.ranking.RankingTask
    unfinished : bool
        Also the queries handed in by people who are still at it or gave up: for looking on, not
        for a ground truth.
    queries : sequence of int or None
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
        .join(WebSitting, WebSitting.id == AssignedQuery.sitting_id)
        .join(Participant, Participant.id == WebSitting.participant_id)
        .join(RankingQuery, RankingQuery.id == AssignedQuery.query_id)
        .join(query_stimulus, query_stimulus.id == RankingQuery.stimulus_id)
        .join(Stimulus, Stimulus.id == Score.stimulus_id)
        .where(*_counting(task, unfinished), *_among(queries))
        .order_by(Participant.code, RankingQuery.number, Stimulus.name)
    )
    found: Sequence[Any] = session.execute(chosen).all()
    rows = [Rating(*row) for row in found]
    return Ratings(rows, task.most_similar_end, withdrawals_of(session, task))


def _among(queries: Sequence[int] | None) -> list[ColumnElement[bool]]:
    return [] if queries is None else [AssignedQuery.query_id.in_(queries)]


def _counting(task: RankingTask, unfinished: bool) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = [
        WebSitting.task_id == task.id,
        *included.web_sittings(),
        *included.trials(AssignedQuery.position),
        AssignedQuery.kind == "main",
        AssignedQuery.handed_in_at.is_not(None),
        Score.value.is_not(None),
        # The sketch's own copy among the images is an attention check.
        ~(AssignedQuery.checked & (Score.stimulus_id == RankingQuery.stimulus_id)),
    ]
    return conditions if unfinished else [*conditions, parts.is_counted(AssignedQuery.part)]
