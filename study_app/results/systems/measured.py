"""The agreement of every system of a set or a task with people, cached until either changes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import isnan
from typing import Any

from sqlalchemy.orm import Session

from basics.progress import Report, silent
from study_app.core.background import jobs
from study_app.core.background.jobs import Progress
from study_app.core.caching import shared_results
from study_app.core.caching.cache import cached
from study_app.core.database import own_session
from study_app.core.text.languages import in_number, rcounted, rgettext, rtranslatable
from study_app.models import now
from study_app.models.systems import System
from study_app.results.gold.tasks import TaskGold
from study_app.results.gold.view import Target, named, noun_named, noun_of, of_name
from study_app.results.systems import clusterings, rankings, uploads
from study_app.results.systems.comparing import Bounded
from study_app.results.systems.reading import DirectionRefused, Upload, UploadRefused
from study_app.results.systems.uploads import Gold
from study_app.stimuli.importing import uploads as sent

# Systems times judgments, and bytes of files, up to which a page waits instead of starting a job.
AT_ONCE = 3_000
AT_ONCE_BYTES = 2_000_000
# Largest number of systems that a chart shows at once; the best ones.
MOST_AT_ONCE = 30
BEST_OF_MANY = 20
ADDED = rcounted("%(count)s system added.", "%(count)s systems added.")


@dataclass(frozen=True)
class Place:
    """A system's value on an axis, with its interval; None if undefined."""

    system_id: int
    name: str
    value: float | None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Chart:
    """Systems on one axis.

    Attributes
    ----------
    measure : str
        "tau_b" with the human ranking, "participants" (tau_b with each one's ranking), "F" (BCubed
        to the participants), or "pairs" (tau_b with the participants' groups, over pairs of
        sketches).
    places : list of Place
        Best first, undefined ones last.
    band : (float, float) or None
        The human ceilings.
    """

    measure: str
    places: Sequence[Place]
    band: tuple[float, float] | None

    @property
    def first(self) -> Sequence[Place]:
        """The places shown at once: all, or the best ones."""
        return self.places if len(self.places) <= MOST_AT_ONCE else self.places[:BEST_OF_MANY]

    @property
    def rest(self) -> Sequence[Place]:
        """The places shown on request."""
        return self.places[len(self.first) :]


@dataclass(frozen=True)
class Measured:
    """The systems of one set or task.

    Attributes
    ----------
    fingerprint : str
        Of the judgments that they were measured against.
    participants : int
    participants_with_excluded : int
        The number if nobody were excluded.
    computed_at : datetime
    charts : list of Chart
        Main chart first.
    refused : dict of int to str
        Systems that are not measured, with the reason: the file no longer fits the gold standard,
        or its ranks contradict the direction.
    contradicted : frozenset of int
        Those among them whose direction must be flipped.
    found : RankingFound or ClusteringFound
        None if no system could be measured.
    simulated : bool
        Whether a program made any of the judgments.
    """

    fingerprint: str
    participants: int
    participants_with_excluded: int
    computed_at: datetime
    charts: Sequence[Chart]
    refused: Mapping[int, str]
    contradicted: frozenset[int]
    found: rankings.RankingFound | clusterings.ClusteringFound | None
    simulated: bool

    @property
    def places(self) -> Sequence[Place]:
        """The systems on the main axis, best first."""
        return self.charts[0].places if self.charts else []


def ready(session: Session, target: Target) -> Measured | None:
    """The results for a target if they are already computed, else None."""
    return _known(named(target), _key(session, target, uploads.of_target(session, target)))


def _known(name: Sequence[Any], key: tuple[object, ...]) -> Measured | None:
    """Results that this process has in its cache, or that a worker stored."""
    found: Measured | None = cached().get(key)
    if found is None:
        found = shared_results.fetch(_about(name), key)
        if found is not None:
            cached().put(key, found)
    return found


def _about(name: Sequence[Any]) -> tuple[str, int]:
    kind, number = name
    return f"systems-{kind}", number


def _share(name: Sequence[Any], progress: Report) -> None:
    """Measure the systems of a target, and store the results for other processes."""
    key = _current_key(name)
    found = measured(name, progress)
    if found is not None:
        shared_results.put(_about(name), key, found, lambda: _current_key(name) == key)


def is_quick(session: Session, target: Target, gold: Gold, uploaded: Sequence[Upload] = ()) -> bool:
    """Whether measuring takes at most about a fifth of a second, with the `uploaded` files."""
    size = _size(gold)
    systems = uploads.of_target(session, target)
    contents = [*(system.content for system in systems), *(upload.content for upload in uploaded)]
    read = sum(map(len, contents))
    count = len(systems) + len(uploaded)
    return count * size <= AT_ONCE and read <= AT_ONCE_BYTES


def measured(name: Sequence[Any], progress: Report = silent) -> Measured | None:
    """Measure the systems of a set or task, unless the result is cached.

    No transaction is open while they are measured, which may take minutes.

    Parameters
    ----------
    name : ("set" or "task", int)
        As from `study_app.results.gold.view.named`.
    progress : callable (done, total, message), optional

    Returns
    -------
    Measured or None
        None if no sitting is finished.
    """
    gold: Gold = noun_named(name).compute(name[1])
    with own_session() as session:
        target = of_name(session, name)
        systems = uploads.of_target(session, target)
        key = _key(session, target, systems)
        found = _known(name, key)
        if found is not None or gold.found is None:
            return found
        uploaded = [(system.id, uploads.upload_of(system)) for system in systems]
    found = _measure(gold, uploaded, progress)
    cached().put(key, found)
    return found


@jobs.kind("measure", repeatable=True)
def measure(progress: Progress, target: Sequence[Any]) -> dict[str, Any]:
    """A job: measure the systems of a target."""
    progress(0, 0, rtranslatable("Reading the files"))
    _share(target, progress)
    return {"message": rgettext("Computed.")}


# A repeat would refuse the systems, because their names are taken.
@jobs.kind("systems", repeatable=False)
def add_systems(
    progress: Progress, target: Sequence[Any], token: str, direction: str, name: str
) -> dict[str, Any]:
    """A job: check and store uploaded files, and measure all systems of a target."""
    progress(0, 0, rtranslatable("Reading the files"))
    with sent.used(sent.find(progress.settings, progress.study_id, token)) as files:
        uploaded = [Upload(one.name, one.path.read_bytes(), direction, name) for one in files]
        gold = noun_named(target).compute(target[1])

        def keep(session: Session, count: int) -> None:
            progress.refuse_taken_over(session)
            progress.keep(session, {"message": added(count)})

        count = len(uploads.add_systems(target, uploaded, gold, keep))
    _share(target, progress)
    return {"message": added(count)}


def added(count: int) -> str:
    """A message that systems were added."""
    return in_number(ADDED, count)


def _current_key(name: Sequence[Any]) -> tuple[object, ...]:
    with own_session() as session:
        target = of_name(session, name)
        return _key(session, target, uploads.of_target(session, target))


def _key(session: Session, target: Target, systems: Sequence[System]) -> tuple[object, ...]:
    noun = noun_of(target)
    files = tuple((one.id, one.name, one.direction, one.added_at) for one in systems)
    return (noun.__name__, "systems", target.id, noun.fingerprint_of(session, target), files)


def _size(gold: Gold) -> int:
    if gold.found is None:
        return 0
    return len(gold.ratings) if isinstance(gold, TaskGold) else gold.groupings.matrix.size


def _measure(gold: Gold, uploaded: Sequence[tuple[int, Upload]], progress: Report) -> Measured:
    of = rankings if isinstance(gold, TaskGold) else clusterings
    read, refused, contradicted = {}, {}, set()
    for system_id, upload in uploaded:
        try:
            read[system_id] = (upload, of.read(upload, gold))
        except UploadRefused as reason:
            refused[system_id] = str(reason)
            if isinstance(reason, DirectionRefused):
                contradicted.add(system_id)
    found = of.measure(gold, list(read.values()), progress)
    ids = list(read)
    charts = [
        Chart(measure, _sorted(ids, [upload.name for upload, _ in read.values()], rows), band)
        for measure, rows, band in (of.charts(found) if found else [])
    ]
    people = gold.result.participants, gold.counts.people_with_excluded
    wrong = (refused, frozenset(contradicted))
    return Measured(gold.fingerprint, *people, now(), charts, *wrong, found, gold.simulated)


def _sorted(
    ids: Sequence[int], names: Sequence[str], rows: Sequence[Bounded | None]
) -> list[Place]:
    """Places of the systems with a row; a row is (value, low, high) or None."""
    places = [
        Place(number, name, *(None if bound is None or isnan(bound) else bound for bound in row))
        for number, name, row in zip(ids, names, rows, strict=True)
        if row is not None
    ]
    return sorted(places, key=lambda p: (p.value is None, -(p.value or 0), p.name))
