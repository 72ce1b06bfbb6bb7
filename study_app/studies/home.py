"""Data for the home page of a study: its sets and tasks, with progress and agreement."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from study_app.models import Sitting, Stimulus, StimulusSet, Study
from study_app.models.ranking import RankingQuery, RankingTask
from study_app.models.systems import GoldFigure
from study_app.ranking import tasks_of
from study_app.ranking.progress import overview
from study_app.results.gold import counts
from study_app.results.gold.view import Target, noun_of
from study_app.stimuli import stimuli

# Number of pictures shown for each set or task.
FEW = 8
# Largest number of sets, and of tasks; the pages of their steps list all.
MOST = 12


@dataclass(frozen=True)
class SetOnHome:
    """A set as the home page shows it.

    Attributes
    ----------
    set : StimulusSet
    count : int
        Number of its pictures.
    few : sequence of Stimulus
    finished, planned : int
        Numbers of its sittings.
    figure : GoldFigure or None
        The latest agreement of its assessors.
    with_excluded : int or None
        Number of its assessors with those whom it leaves out; None if it leaves out none.
    is_current : bool
        Whether the figure is that of the present judgments, or there are too few for one.
    """

    set: StimulusSet
    count: int
    few: Sequence[Stimulus]
    finished: int
    planned: int
    figure: GoldFigure | None
    with_excluded: int | None
    is_current: bool


@dataclass(frozen=True)
class TaskOnHome:
    """A ranking task as the home page shows it; the fields are like those of a set."""

    task: RankingTask
    few: Sequence[Stimulus]
    progress: overview.Summary
    figure: GoldFigure | None
    with_excluded: int | None
    is_current: bool


@dataclass(frozen=True)
class Home:
    """The sets and tasks of a study, at most `MOST` of each, and their numbers."""

    sets: Sequence[SetOnHome]
    set_count: int
    tasks: Sequence[TaskOnHome]
    task_count: int

    @property
    def to_compute(self) -> list[Target]:
        """The tasks and sets whose figure is missing or old."""
        return [
            *(one.task for one in self.tasks if not one.is_current),
            *(one.set for one in self.sets if not one.is_current),
        ]

    @property
    def lacks_figures(self) -> bool:
        """Whether a figure is missing."""
        shown: list[SetOnHome | TaskOnHome] = [*self.tasks, *self.sets]
        return any(not (one.figure or one.is_current) for one in shown)


def home(session: Session, study: Study) -> Home:
    """The sets and tasks of a study, each with some pictures, its progress and its agreement."""
    sets, tasks = stimuli.sets_of(session, study.id), tasks_of(session, study.id)
    figures = {
        figure.target: figure
        for figure in session.scalars(select(GoldFigure).where(GoldFigure.study_id == study.id))
    }
    sittings = _sittings(session, study.id)
    return Home(
        [_set(session, *one, sittings, figures) for one in sets[:MOST]],
        len(sets),
        [_task(session, task, figures) for task in tasks[:MOST]],
        len(tasks),
    )


def _set(
    session: Session,
    one: StimulusSet,
    count: int,
    sittings: Mapping[int, tuple[int, int]],
    figures: Mapping[str, GoldFigure],
) -> SetOnHome:
    figure, counted = figures.get(f"set-{one.id}"), counts.of_set(session, one)
    return SetOnHome(
        one,
        count,
        stimuli.stimuli_of(session, one.id, FEW),
        *sittings[one.id],
        figure,
        _with_excluded(figure, counted),
        _is_current(session, one, figure, counted),
    )


def _task(session: Session, task: RankingTask, figures: Mapping[str, GoldFigure]) -> TaskOnHome:
    figure, counted = figures.get(f"task-{task.id}"), counts.of_task(session, task)
    return TaskOnHome(
        task,
        _queries(session, task),
        overview.summary_of(session, task),
        figure,
        _with_excluded(figure, counted),
        _is_current(session, task, figure, counted),
    )


def _is_current(
    session: Session, target: Target, figure: GoldFigure | None, counted: counts.Counts
) -> bool:
    if counted.people < 2:
        return True
    mark = noun_of(target).fingerprint_of(session, target)
    return figure is not None and figure.fingerprint == mark


def _with_excluded(figure: GoldFigure | None, counted: counts.Counts) -> int | None:
    # The figure may be older than the last sittings.
    left_out = counted.people_with_excluded - counted.people
    return figure.people + left_out if figure and figure.people and left_out else None


def _queries(session: Session, task: RankingTask) -> Sequence[Stimulus]:
    chosen = select(Stimulus).join(RankingQuery).where(RankingQuery.task_id == task.id)
    return session.scalars(chosen.order_by(RankingQuery.number).limit(FEW)).all()


def _sittings(session: Session, study_id: int) -> defaultdict[int, tuple[int, int]]:
    """Finished and planned sittings of each set, without second entries and withdrawn ones."""
    finished = func.count().filter(Sitting.state == "finished")
    counted = select(Sitting.set_id, finished, func.count()).where(
        Sitting.study_id == study_id,
        Sitting.first_entry_id.is_(None),
        Sitting.state != "withdrawn",
    )
    found: defaultdict[int, tuple[int, int]] = defaultdict(lambda: (0, 0))
    for set_id, done, every in session.execute(counted.group_by(Sitting.set_id)):
        found[set_id] = (done, every)
    return found
