"""Quality of sortings: groups, time and agreement with the other assessors, with outliers."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import partial
from math import log, nan
from typing import Any

import numpy as np
from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from analysis.groupings.pair_agreement import bcubed_pairs
from analysis.ratings.response_quality import OUTLIER_THRESHOLD, modified_z
from basics.numerals import SHORTEST_MINUTES
from study_app.core.caching.cache import cached
from study_app.core.text.languages import rgettext, rtranslatable
from study_app.core.text.spreadsheets import Cell, measure_rows
from study_app.models import Sitting, StimulusSet
from study_app.participation.people import included
from study_app.sittings.chance import LEAST_CARDS, LEAST_OTHERS, SHUFFLES, chances
from study_app.sittings.groupings import NOT_PLACED, groupings_of_set

MOST_BY_CHANCE = 0.05


def definitions() -> dict[str, str]:
    """What each measure is, by its name in `Sorting` and in the CSV, in the reader's language."""
    return {
        "placed": rgettext("Sketches placed in a group."),
        "groups": rgettext("Groups with one sketch or more."),
        "largest": rgettext("Sketches in the largest group."),
        "alone": rgettext("Sketches that are alone in their group."),
        "minutes": rgettext("From the start of the sitting to its end."),
        "agreement": rgettext("BCubed F with each other assessor of the set, averaged over them."),
        "chance": rgettext(
            "Share of %(shuffles)s random groupings, with groups of the same sizes, that agree as "
            "well with the others; from %(cards)s placed cards and %(others)s others on.",
            shuffles=SHUFFLES,
            cards=LEAST_CARDS,
            others=LEAST_OTHERS,
        ),
    }


def flags() -> dict[str, str]:
    """The reason why a sitting is an outlier in its set, by flag, in the reader's language."""
    return {
        rtranslatable("groups"): rgettext(
            "The number of groups is far from that of others (modified z beyond ±%(limit)s).",
            limit=OUTLIER_THRESHOLD,
        ),
        rtranslatable("time"): rgettext(
            "The time is far from that of others (modified z beyond ±%(limit)s).",
            limit=OUTLIER_THRESHOLD,
        ),
        rtranslatable("chance"): rgettext(
            "The agreement with the others is no better than chance (p > %(level)s).",
            level=f"{MOST_BY_CHANCE:.2f}",
        ),
        rtranslatable("disagrees"): rgettext(
            "The agreement is below that of others (modified z below −%(limit)s).",
            limit=OUTLIER_THRESHOLD,
        ),
    }


@dataclass(frozen=True)
class Sorting:
    """Quality of one sitting; NaN if unknown.

    Attributes
    ----------
    set, assessor, sitting : str
    placed, groups, largest, alone : int
    minutes, agreement, chance : float
    flags : tuple of str
        Names in `flags`.
    """

    set: str
    assessor: str
    sitting: str
    placed: int
    groups: int
    largest: int
    alone: int
    minutes: float
    agreement: float
    chance: float
    flags: tuple[str, ...] = ()


COLUMNS = tuple(one.name for one in fields(Sorting))


def quality_of(session: Session, study_id: int) -> list[Sorting]:
    """Every sitting of a study that counts, set by set."""
    found = []
    for stimulus_set in sets_of(session, study_id):
        stamp = stamp_of(session, stimulus_set)
        found += cached().get_or_compute(
            key_of(stimulus_set), stamp, partial(_of_set, session, stimulus_set)
        )
    return found


def sets_of(session: Session, study_id: int) -> Sequence[StimulusSet]:
    """The sets of a study, in the order of their numbers."""
    chosen = select(StimulusSet).where(StimulusSet.study_id == study_id)
    return session.scalars(chosen.order_by(StimulusSet.number)).all()


def key_of(stimulus_set: StimulusSet) -> tuple[str, int]:
    """The cache key of the sittings of a set."""
    return "quality of sortings", stimulus_set.id


def stamp_of(session: Session, stimulus_set: StimulusSet) -> tuple[str, tuple[Any, ...]]:
    """A stamp that changes with the included sittings of a set and their events."""
    columns = (Sitting.id, Sitting.revision, Sitting.started_at, Sitting.stopped_at)
    counted = select(*columns).where(Sitting.set_id == stimulus_set.id, *included.sittings())
    return stimulus_set.name, tuple(map(tuple, session.execute(counted.order_by(Sitting.id))))


def flagged(sortings: Sequence[Sorting]) -> list[Sorting]:
    """Flag the outlying sittings of one set."""
    z = {
        "groups": modified_z([log(one.groups) if one.groups else nan for one in sortings]),
        "time": modified_z([log(max(one.minutes, SHORTEST_MINUTES)) for one in sortings]),
        "disagrees": modified_z([one.agreement for one in sortings]),
    }
    found = []
    for at, one in enumerate(sortings):
        stands_out = {
            "groups": abs(z["groups"][at]) > OUTLIER_THRESHOLD,
            "time": abs(z["time"][at]) > OUTLIER_THRESHOLD,
            "chance": one.chance > MOST_BY_CHANCE,
            "disagrees": z["disagrees"][at] < -OUTLIER_THRESHOLD,
        }
        names = tuple(name for name, is_so in stands_out.items() if is_so)
        found.append(Sorting(**{**vars(one), "flags": names}))
    return found


def rows_of(sortings: Sequence[Sorting]) -> list[tuple[Cell, ...]]:
    """The same as the rows of a table with `COLUMNS`."""
    return measure_rows(sortings, COLUMNS)


def _of_set(session: Session, stimulus_set: StimulusSet) -> list[Sorting]:
    groupings = groupings_of_set(session, stimulus_set)
    if not len(groupings.matrix):
        return []
    f = bcubed_pairs(groupings.matrix).f.copy()
    np.fill_diagonal(f, np.nan)
    codes = {sitting.code: sitting for sitting in session.scalars(_sittings(stimulus_set))}
    by_chance = chances(groupings.matrix)
    sortings = []
    for at, code in enumerate(groupings.sittings):
        row = groupings.matrix[at]
        sizes = np.unique(row[row != NOT_PLACED], return_counts=True)[1]
        others = f[at][~np.isnan(f[at])]
        minutes = codes[code].minutes
        sortings.append(
            Sorting(
                set=stimulus_set.name,
                assessor=groupings.participants[at],
                sitting=code,
                placed=int(sizes.sum()),
                groups=len(sizes),
                largest=int(sizes.max()),
                alone=int((sizes == 1).sum()),
                minutes=nan if minutes is None else minutes,
                agreement=float(others.mean()) if len(others) else nan,
                chance=by_chance[at],
            )
        )
    return flagged(sortings)


def _sittings(stimulus_set: StimulusSet) -> Select[Sitting]:
    return select(Sitting).where(Sitting.set_id == stimulus_set.id)
