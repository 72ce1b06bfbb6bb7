"""What the pages of a gold standard say: plain numbers and sentences, no arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np
from sqlalchemy import select
from sqlalchemy.orm import Session

from study_app.core import jobs
from study_app.core.database import db
from study_app.core.jobs import Progress
from study_app.models import Sitting, StimulusSet
from study_app.models.ranking import RankingTask
from study_app.results.gold import sets, tasks
from study_app.results.gold.sets import SetGold
from study_app.results.gold.tasks import TaskGold

if TYPE_CHECKING:
    from analysis.groupings.reliability import Reliability
    from analysis.groupings.set_agreement import Interval
    from analysis.ratings.ground_truth import GroundTruth


# What a gold standard is of.
Target = StimulusSet | RankingTask


@dataclass(frozen=True)
class Targets:
    """What a study can have a gold standard of.

    Attributes
    ----------
    sets : list of StimulusSet
        Those with sittings.
    tasks : list of RankingTask
    """

    sets: Sequence[StimulusSet]
    tasks: Sequence[RankingTask]

    @property
    def are_several(self) -> bool:
        """Whether there is more than one."""
        return len(self.sets) + len(self.tasks) > 1


@dataclass(frozen=True)
class Spread:
    """A number with its 95 % interval; the bounds are None without one."""

    value: float
    low: float | None = None
    high: float | None = None


def targets(session: Session, study_id: int) -> Targets:
    """The sets and tasks of a study that people judge."""
    sorted_sets = select(Sitting.set_id).where(Sitting.study_id == study_id)
    return Targets(
        session.scalars(
            select(StimulusSet)
            .where(StimulusSet.study_id == study_id, StimulusSet.id.in_(sorted_sets))
            .order_by(StimulusSet.number)
        ).all(),
        session.scalars(
            select(RankingTask).where(RankingTask.study_id == study_id).order_by(RankingTask.id)
        ).all(),
    )


def compute_light(session: Session, chosen: Targets) -> list[Target]:
    """Compute what is quick; the sets and tasks that are left."""
    every: list[Target] = [*chosen.tasks, *chosen.sets]
    missing = [target for target in every if noun_of(target).ready(session, target) is None]
    light: list[Target] = [t for t in missing if isinstance(t, RankingTask)]
    light += [s for s in missing if isinstance(s, StimulusSet)][:1]
    for target in light:
        if noun_of(target).is_light(session, target):
            noun_of(target).compute(session, target)
    return [target for target in missing if noun_of(target).ready(session, target) is None]


def noun_of(target: Target) -> ModuleType:
    """The rules of what a gold standard is of: a StimulusSet or a RankingTask."""
    return tasks if isinstance(target, RankingTask) else sets


def target_by_id(session: Session, target_class: type[Target], target_id: int) -> Target:
    """A set or task by its number, as work that was started with it finds it again.

    Raises
    ------
    sqlalchemy.exc.NoResultFound
        If it was removed meanwhile.
    """
    if issubclass(target_class, StimulusSet):
        return session.get_one(StimulusSet, target_id)
    return session.get_one(RankingTask, target_id)


def named(target: Target) -> tuple[str, int]:
    """A set or a task as the arguments of a job name it."""
    return ("task" if isinstance(target, RankingTask) else "set"), target.id


def of_name(session: Session, name: Sequence[Any]) -> Target:
    """The set or task of such a name.

    Raises
    ------
    sqlalchemy.exc.NoResultFound
        If it was removed meanwhile.
    """
    kind, number = name
    return target_by_id(session, RankingTask if kind == "task" else StimulusSet, number)


@jobs.kind("gold", repeatable=True)
def compute_all(progress: Progress, targets: Sequence[Sequence[Any]]) -> dict[str, Any]:
    """A job: compute several sets and tasks one after the other."""
    for done, name in enumerate(targets):
        progress(done, len(targets), "Comparing the people")
        target = of_name(db.session(), name)
        noun_of(target).share(db.session(), target)
    progress(len(targets), len(targets))
    return {"message": "Computed."}


def agreement(gold: SetGold | None) -> dict[str, Any] | None:
    """How well the assessors of a set agree, or None if fewer than two have finished."""
    if gold is None or gold.found is None or not isfinite(gold.found.mean.f):
        return None
    mean = gold.found.mean
    return {
        "participants": gold.found.participants,
        "with_excluded": gold.counts.people_with_excluded,
        "f": spread(mean.f, mean.f_interval),
        "random": spread(mean.f_random, mean.f_random_interval),
        "adjusted": mean.f_adjusted,
        "p": mean.p_value,
        "draws": mean.draws,
        "ari": mean.ari,
        "alone": mean.f_alone,
        "in_common": mean.median_in_common,
    }


def enough(gold: SetGold | None) -> dict[str, Any] | None:
    """Whether the assessors are enough, or None if that cannot be said yet."""
    if gold is None or gold.found is None or not isfinite(gold.found.reliability.split_half):
        return None
    found = gold.found.reliability
    participants = gold.found.participants
    return {
        "participants": participants,
        "reliability": spread(found.split_half, found),
        "halves": found.halves,
        "seed": found.seed,
        "curve": _curve(found, participants),
        "targets": [
            {
                "target": target,
                "enough": found.enough(target),
                "more": _more(found.needed[target], participants),
                "expected": _more(found.expected[target], participants),
            }
            for target in sorted(found.needed)
        ],
    }


def _more(needed: int | None, participants: int) -> int | None:
    return None if needed is None else max(0, needed - participants)


def _curve(found: Reliability, participants: int) -> dict[str, Any]:
    """Reliability over the number of assessors, in percent of a plot."""
    from analysis.groupings.spearman_brown import spearman_brown

    needed = [count for count in found.expected.values() if count is not None]
    last = int(min(max([participants, *needed]) * 1.1 + 1, participants * 6))
    counts = np.linspace(0, last, 80)
    # At no assessor at all, a perfect reliability would be 0 of 0.
    carried = spearman_brown(found.split_half, np.maximum(counts, 1e-6) / participants)
    return {
        "last": last,
        "line": " ".join(
            f"{100 * n / last:.2f},{100 * (1 - max(value, 0)):.2f}"
            for n, value in zip(counts, np.asarray(carried).tolist(), strict=True)
        ),
        "measured": [
            (point.participants / last, point.reliability)
            for point in found.curve
            if isfinite(point.reliability)
        ],
        "now": participants / last,
    }


def coverage(gold: SetGold | None) -> dict[str, Any] | None:
    """How many assessors placed each pair, where that differs (parts of a set), else None."""
    if gold is None or gold.found is None:
        return None
    counts = gold.found.both[np.triu_indices(len(gold.found.both), 1)]
    if not len(counts) or counts.min() == counts.max():
        return None
    return {
        "least": int(counts.min()),
        "most": int(counts.max()),
        "mean": float(counts.mean()),
        "never": int((counts == 0).sum()),
        "pairs": len(counts),
    }


def task_agreement(gold: TaskGold | None) -> dict[str, Any] | None:
    """How well the participants of a task agree, or None if fewer than two have finished."""
    if gold is None or gold.found is None or gold.found.participants < 2:
        return None
    from analysis.ratings.task_agreement import summary

    with_excluded = {"with_excluded": gold.counts.people_with_excluded}
    return summary(gold.found, gold.queries) | with_excluded


def query_rows(gold: TaskGold | None, chosen: slice = slice(None)) -> list[dict[str, Any]]:
    """Queries of a task with their images, the most similar first, and their agreement."""
    if gold is None or gold.found is None:
        return []
    return [
        {"name": name, "images": _ranked(names, found.truth), "found": found}
        for name, names, found in zip(
            gold.queries[chosen], gold.candidates[chosen], gold.found.queries[chosen], strict=True
        )
    ]


def _ranked(names: Sequence[str], truth: GroundTruth) -> list[dict[str, Any]]:
    order = sorted(range(len(names)), key=lambda column: (truth.rank[column], names[column]))
    return [
        {
            "name": names[column],
            "mean": float(truth.mean[column]),
            "n": int(truth.n[column]),
            "rank": float(truth.rank[column]),
        }
        for column in order
    ]


def spread(value: float, interval: Interval | Reliability) -> Spread:
    """A number with the interval that analysis gave it."""
    if isfinite(interval.low) and isfinite(interval.high):
        return Spread(value, interval.low, interval.high)
    return Spread(value)
