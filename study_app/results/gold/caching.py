"""Caching of gold standards: computed once, and dropped if the judgments change."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from math import isfinite
from typing import Generic, TypeVar

from sqlalchemy.orm import Session

from basics import memory
from study_app.core.caching import shared_results
from study_app.core.caching.cache import cached
from study_app.core.database import own_session, writing
from study_app.models import StimulusSet, now
from study_app.models.ranking import RankingTask
from study_app.models.systems import GoldFigure

Target = TypeVar("Target", StimulusSet, RankingTask)
Gold = TypeVar("Gold")


@dataclass(frozen=True)
class Figure:
    """The headline number of a gold standard, on the study's page.

    Attributes
    ----------
    measure : {"F", "W"}
        BCubed F of a set, Kendall's W of a ranking task.
    value, chance : float or None
        Its value, and the expected value for random groups of the same sizes.
    people : int
        Number of participants or assessors.
    """

    measure: str
    value: float | None
    chance: float | None
    people: int


@dataclass(frozen=True)
class Kind(Generic[Target, Gold]):
    """Differences between the gold standards of sets and of tasks.

    Attributes
    ----------
    name : str
        "set" or "task".
    model : type
        Its class: StimulusSet or RankingTask.
    fingerprint_of : callable
        Gives a value that changes with the judgments of a target.
    collect : callable
        Reads the judgments; returns the computation, which needs no database.
    figure_of : callable
        Gives the headline number of a gold standard.
    """

    name: str
    model: type[Target]
    fingerprint_of: Callable[[Session, Target], str]
    collect: Callable[[Session, Target, str], Callable[[], Gold]]
    figure_of: Callable[[Gold], Figure]


def ready(session: Session, kind: Kind[Target, Gold], target: Target) -> Gold | None:
    """The cached gold standard of a target, or None."""
    mark, study_id, target_id = kind.fingerprint_of(session, target), target.study_id, target.id
    gold = _known(kind, target_id, mark)
    name = f"{kind.name}-{target_id}"
    figure = session.get(GoldFigure, (study_id, name))
    if gold is not None and (figure is None or figure.fingerprint != mark):
        # The judgments are as they were before a change: an exclusion, say, was undone.
        session.rollback()
        _save_figure(kind, study_id, target_id, mark, gold)
    return gold


def _known(kind: Kind[Target, Gold], target_id: int, mark: str) -> Gold | None:
    """A gold standard cached by this process or stored by a worker."""
    key = (kind.name, target_id, mark)
    gold: Gold | None = cached().get(key)
    if gold is None:
        gold = shared_results.fetch((kind.name, target_id), mark)
        if gold is not None:
            cached().put(key, gold)
    return gold


def share(kind: Kind[Target, Gold], target_id: int) -> Gold:
    """Compute the gold standard of a target, and store it for other processes."""
    with own_session() as session:
        mark = kind.fingerprint_of(session, session.get_one(kind.model, target_id))
    gold = compute(kind, target_id)
    is_current = partial(_is_current, kind, target_id, mark)
    shared_results.put((kind.name, target_id), mark, gold, is_current)
    return gold


def compute(kind: Kind[Target, Gold], target_id: int) -> Gold:
    """The gold standard of a target, computed or from the cache.

    No transaction is open while it is computed, which may take minutes.
    """
    with own_session() as session:
        target = session.get_one(kind.model, target_id)
        gold = ready(session, kind, target)
        if gold is not None:
            return gold
        mark = kind.fingerprint_of(session, target)
        computation, study_id = kind.collect(session, target, mark), target.study_id
    gold = computation()
    cached().put((kind.name, target_id, mark), gold)
    # If somebody withdrew in the meantime, the result is not stored.
    if not _save_figure(kind, study_id, target_id, mark, gold):
        cached().drop((kind.name, target_id, mark))
    return gold


def forget(kind: Kind[Target, Gold], target_id: int, mark: str) -> None:
    """Drop a gold standard from this process's cache, in a job that needs its memory for more."""
    cached().drop((kind.name, target_id, mark))
    memory.give_back()


def _is_current(kind: Kind[Target, Gold], target_id: int, mark: str) -> bool:
    """Whether the judgments of a target are still those of a fingerprint."""
    with own_session() as session:
        return kind.fingerprint_of(session, session.get_one(kind.model, target_id)) == mark


def _save_figure(
    kind: Kind[Target, Gold], study_id: int, target_id: int, mark: str, gold: Gold
) -> bool:
    """Save the headline number, None if undefined; false if the judgments have changed."""
    if not _is_current(kind, target_id, mark):
        return False
    shown, name = kind.figure_of(gold), f"{kind.name}-{target_id}"
    with own_session() as own, writing(own) as session:
        figure = session.get(GoldFigure, (study_id, name))
        if figure is None:
            figure = GoldFigure(study_id=study_id, target=name)
            session.add(figure)
        figure.fingerprint, figure.measure, figure.people = mark, shown.measure, shown.people
        figure.value, figure.chance = _finite(shown.value), _finite(shown.chance)
        figure.computed_at = now()
    return True


def _finite(value: float | None) -> float | None:
    return float(value) if value is not None and isfinite(value) else None
