"""Data for the pages of a gold standard: numbers and sentences, no arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np
from sqlalchemy import select
from sqlalchemy.orm import Session

from study_app.core.background import jobs
from study_app.core.background.jobs import Progress
from study_app.core.text.languages import rgettext, rtranslatable
from study_app.models import Sitting, StimulusSet
from study_app.models.ranking import RankingTask
from study_app.results.gold import sets, tasks
from study_app.results.gold.sets import SetGold
from study_app.results.gold.tasks import TaskGold

if TYPE_CHECKING:
    from analysis.groupings.reliability import Reliability
    from analysis.groupings.set_agreement import Interval
    from analysis.ratings.ground_truth import GroundTruth


# The targets of gold standards.
Target = StimulusSet | RankingTask


@dataclass(frozen=True)
class Targets:
    """The sets and tasks of a study that can have a gold standard.

    Attributes
    ----------
    sets : list of StimulusSet
        Sets with sittings.
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
    """The sets with sittings and the tasks of a study."""
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


def noun_of(target: Target) -> ModuleType:
    """The module for a target: a StimulusSet or a RankingTask."""
    return tasks if isinstance(target, RankingTask) else sets


def noun_named(name: Sequence[Any]) -> ModuleType:
    """The module for a target from job arguments."""
    return tasks if name[0] == "task" else sets


def named(target: Target) -> tuple[str, int]:
    """A set or a task as job arguments."""
    return ("task" if isinstance(target, RankingTask) else "set"), target.id


def of_name(session: Session, name: Sequence[Any]) -> Target:
    """The set or task from job arguments.

    Raises
    ------
    sqlalchemy.exc.NoResultFound
        If it was deleted in the meantime.
    """
    kind, number = name
    if kind == "task":
        return session.get_one(RankingTask, number)
    return session.get_one(StimulusSet, number)


@jobs.kind("gold", repeatable=True)
def compute_all(progress: Progress, targets: Sequence[Sequence[Any]]) -> dict[str, Any]:
    """A job: compute several sets and tasks."""
    for done, name in enumerate(targets):
        progress(done, len(targets), rtranslatable("Computing the agreement"))
        noun_named(name).share(name[1])
    progress(len(targets), len(targets))
    return {"message": rgettext("Computed.")}


def agreement(gold: SetGold | None) -> dict[str, Any] | None:
    """The agreement of the assessors of a set; None if fewer than two have finished."""
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
    """Whether there are enough assessors; None if unknown yet."""
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
    """Reliability by number of assessors, in percent of the plot's size."""
    from analysis.groupings.spearman_brown import spearman_brown

    needed = [count for count in found.expected.values() if count is not None]
    last = int(min(max([participants, *needed]) * 1.1 + 1, participants * 6))
    counts = np.linspace(0, last, 80)
    # With 0 assessors, a perfect reliability would be 0 / 0.
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


def consensus(gold: SetGold | None, most: int) -> list[tuple[int, list[int], int]]:
    """The consensus groups: how many sketches each has, the ids of the first, how many are left.

    Parameters
    ----------
    gold : SetGold or None
    most : int
        Sketches to name of all groups together; of more, each group has as many as the others.
    """
    if gold is None or gold.found is None:
        return []
    ids, groups = gold.groupings.stimulus_ids, gold.consensus
    each = len(ids) if len(ids) <= most else max(1, most // len(groups))
    return [
        (len(group), [ids[column] for column in group[:each]], len(group[each:]))
        for group in groups
    ]


def coverage(gold: SetGold | None) -> dict[str, Any] | None:
    """The numbers of assessors who placed each pair, if they differ (partial decks), else None."""
    if gold is None or gold.found is None:
        return None
    pairs = gold.found.pairs_by_both
    (counts,) = np.nonzero(pairs)
    if len(counts) < 2:
        return None
    return {
        "least": int(counts[0]),
        "most": int(counts[-1]),
        "mean": float((pairs[counts] * counts).sum() / pairs.sum()),
        "never": int(pairs[0]),
        "pairs": int(pairs.sum()),
    }


def task_agreement(gold: TaskGold | None) -> dict[str, Any] | None:
    """The agreement of the participants of a task; None if fewer than two have finished."""
    if gold is None or gold.found is None or gold.found.participants < 2:
        return None
    from analysis.ratings.task_agreement import summary

    with_excluded = {"with_excluded": gold.counts.people_with_excluded}
    return summary(gold.found, gold.queries) | with_excluded


def query_rows(gold: TaskGold | None, chosen: slice = slice(None)) -> list[dict[str, Any]]:
    """Queries of a task with their images, most similar first, and their agreement."""
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
    """A number with its interval from the analysis."""
    if isfinite(interval.low) and isfinite(interval.high):
        return Spread(value, interval.low, interval.high)
    return Spread(value)
