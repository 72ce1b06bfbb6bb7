"""How close every system of a set or a task comes to people, kept until either side changes."""

from dataclasses import dataclass
from datetime import datetime
from math import isnan

from basics.plurals import counted
from study_app.core.cache import kept
from study_app.core.database import db
from study_app.gold.tasks import TaskGold
from study_app.gold.view import noun_of
from study_app.models import now
from study_app.systems import clusterings, rankings, uploads
from study_app.systems.reading import DirectionRefused, UploadRefused

# Systems times judgments, and bytes of files, up to which a page waits rather than starts a job.
AT_ONCE = 6_000
AT_ONCE_BYTES = 2_000_000
# A page lists so many systems one below the other; of more, the best.
MOST_AT_ONCE = 30
BEST_OF_MANY = 20


def _silent(_done, _total, _message=""):
    pass


@dataclass(frozen=True)
class Place:
    """Where a system stands on an axis; None stands for what is undefined."""

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
        "tau_b" to the human ranking, "participants" (tau_b to each one's ranking), "F" (BCubed to
        the participants), or "pairs" (tau_b to the participants' groups, over pairs of sketches).
    places : list of Place
        The best first, undefined ones last.
    band : (float, float) or None
        How well people do: the human ceilings.
    """

    measure: str
    places: list
    band: tuple | None

    @property
    def first(self):
        """The places that a page shows at once: all, or the best of many."""
        return self.places if len(self.places) <= MOST_AT_ONCE else self.places[:BEST_OF_MANY]

    @property
    def rest(self):
        """The places that a page shows when it is asked to."""
        return self.places[len(self.first) :]


@dataclass(frozen=True)
class Measured:
    """The systems of one set or task.

    Attributes
    ----------
    fingerprint : str
        Of the judgments that they were measured against.
    participants : int
    computed_at : datetime
    charts : list of Chart
        The main one first.
    refused : dict of int to str
        Systems that are not measured, with the reason: their file does not fit the gold standard
        any more, or its ranks contradict the direction.
    contradicted : frozenset of int
        Those of them whose direction is to be flipped.
    found : study_app.systems.rankings.RankingFound or study_app.systems.clusterings.ClusteringFound
        None where no system could be measured.
    simulated : bool
        Whether a program made any of the judgments.
    """

    fingerprint: str
    participants: int
    computed_at: datetime
    charts: list
    refused: dict
    contradicted: frozenset
    found: object
    simulated: bool

    @property
    def places(self):
        """The systems on the main axis, the best first."""
        return self.charts[0].places if self.charts else []


def gold_of(session, target):
    """The gold standard of a set or a task, computed if need be."""
    return noun_of(target).compute(session, target)


def ready(session, target):
    """The systems of a target if they are measured already, else None."""
    return kept().get(_key(session, target, uploads.of_target(session, target)))


def is_light(session, target, handed_in=()):
    """Whether measuring takes about a second, with the uploads of `handed_in` besides."""
    if not noun_of(target).is_light(session, target):
        return False
    size = _size(gold_of(session, target))
    systems = uploads.of_target(session, target)
    read = sum(len(system.content) for system in [*systems, *handed_in])
    count = len(systems) + len(handed_in)
    return count * size <= AT_ONCE and read <= AT_ONCE_BYTES


def measured(session, target, progress=_silent):
    """Measure the systems of a StimulusSet or RankingTask, unless they are measured already.

    Returns
    -------
    Measured or None
        None while nobody has finished judging.
    """
    gold = gold_of(session, target)
    systems = uploads.of_target(session, target)
    key = _key(session, target, systems)
    found = kept().get(key)
    if found is None and gold.found is not None:
        handed_in = [(system.id, uploads.upload_of(system)) for system in systems]
        session.rollback()
        found = _measure(gold, handed_in, progress)
        kept().put(key, found)
    return found


def work_of(target):
    """A job's work that measures the systems of a target."""
    target_class, target_id = type(target), target.id

    def work(progress):
        progress(0, 0, "Reading the files")
        measured(db.session, db.session.get(target_class, target_id), progress)
        return {"message": "Computed."}

    return work


def hand_in_work_of(target, handed_in):
    """A job's work that checks uploads, keeps them, and measures all systems of a target."""
    target_class, target_id = type(target), target.id

    def work(progress):
        progress(0, 0, "Reading the files")
        gold = gold_of(db.session, db.session.get(target_class, target_id))
        target = db.session.get(target_class, target_id)
        message = added(len(uploads.hand_in(target, handed_in, gold)))
        measured(db.session, db.session.get(target_class, target_id), progress)
        return {"message": message}

    return work


def added(count):
    """That systems are added, in words."""
    return f"{counted(count, 'system is', 'systems are')} added."


def _key(session, target, systems):
    noun = noun_of(target)
    files = tuple((one.id, one.name, one.direction, one.added_at) for one in systems)
    return (noun.__name__, "systems", target.id, noun.fingerprint_of(session, target), files)


def _size(gold):
    if gold.found is None:
        return 0
    judged = gold.scores if isinstance(gold, TaskGold) else gold.groupings.matrix
    return judged.size


def _measure(gold, handed_in, progress):
    of = rankings if isinstance(gold, TaskGold) else clusterings
    read, refused, contradicted = {}, {}, set()
    for system_id, upload in handed_in:
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
    participants = gold.found.participants
    wrong = (refused, frozenset(contradicted))
    return Measured(gold.fingerprint, participants, now(), charts, *wrong, found, gold.simulated)


def _sorted(ids, names, rows):
    """Places of the systems that have a row; a row is value, low, high or None."""
    places = [
        Place(number, name, *(None if bound is None or isnan(bound) else bound for bound in row))
        for number, name, row in zip(ids, names, rows, strict=True)
        if row is not None
    ]
    return sorted(places, key=lambda p: (p.value is None, -(p.value or 0), p.name))
