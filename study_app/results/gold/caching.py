"""Caching of gold standards: computed once, and dropped if the judgments change."""

from collections.abc import Callable
from dataclasses import dataclass
from math import isfinite
from typing import Generic, TypeVar

from sqlalchemy.orm import Session

from study_app.core.caching import shared_results
from study_app.core.caching.cache import cached
from study_app.core.database import writing
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
    fingerprint_of : callable
        Gives a value that changes with the judgments of a target.
    collect : callable
        Reads the judgments; returns the computation, which needs no database.
    figure_of : callable
        Gives the headline number of a gold standard.
    """

    name: str
    fingerprint_of: Callable[[Session, Target], str]
    collect: Callable[[Session, Target, str], Callable[[], Gold]]
    figure_of: Callable[[Gold], Figure]


def ready(session: Session, kind: Kind[Target, Gold], target: Target) -> Gold | None:
    """The cached gold standard of a target, or None."""
    return _known(kind, target, kind.fingerprint_of(session, target))


def _known(kind: Kind[Target, Gold], target: Target, mark: str) -> Gold | None:
    """A gold standard cached by this process or stored by a worker."""
    key = (kind.name, target.id, mark)
    gold: Gold | None = cached().get(key)
    if gold is None:
        gold = shared_results.fetch((kind.name, target.id), mark)
        if gold is not None:
            cached().put(key, gold)
    return gold


def share(session: Session, kind: Kind[Target, Gold], target: Target) -> None:
    """Compute the gold standard of a target, and store it for other processes."""
    target_id, model = target.id, type(target)
    mark = kind.fingerprint_of(session, target)
    gold = compute(session, kind, target)

    def is_current() -> bool:
        session.rollback()
        return kind.fingerprint_of(session, session.get_one(model, target_id)) == mark

    shared_results.put((kind.name, target_id), mark, gold, is_current)


def compute(session: Session, kind: Kind[Target, Gold], target: Target) -> Gold:
    """The gold standard of a target, computed or from the cache."""
    mark = kind.fingerprint_of(session, target)
    key = (kind.name, target.id, mark)
    gold = _known(kind, target, mark)
    if gold is None:
        study_id, target_id, model = target.study_id, target.id, type(target)
        computation = kind.collect(session, target, mark)
        session.rollback()
        gold = computation()
        cached().put(key, gold)
        # If somebody withdrew in the meantime, the result is not stored.
        if kind.fingerprint_of(session, session.get_one(model, target_id)) == mark:
            _store_figure(study_id, f"{kind.name}-{target_id}", mark, kind.figure_of(gold))
        else:
            cached().drop(key)
    return gold


def _store_figure(study_id: int, target: str, mark: str, shown: Figure) -> None:
    """Store the headline number; None if undefined."""
    with writing() as session:
        figure = session.get(GoldFigure, (study_id, target))
        if figure is None:
            figure = GoldFigure(study_id=study_id, target=target)
            session.add(figure)
        figure.fingerprint, figure.measure, figure.people = mark, shown.measure, shown.people
        figure.value, figure.chance = _finite(shown.value), _finite(shown.chance)
        figure.computed_at = now()


def _finite(value: float | None) -> float | None:
    return float(value) if value is not None and isfinite(value) else None
