"""What a participant's page sends while somebody ranks, taken down so that nothing counts twice.

Each entry carries a key that the page made. An entry is added once; what stands for an image is its
entry that was *answered* last, whichever request brings it and when.
"""

from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import and_, func, or_, select, update
from sqlalchemy.dialects import postgresql, sqlite

from study_app.models import now
from study_app.models.ranking import AssignedQuery, RankingSitting, Score, ScoreEntry
from study_app.rankings.refusals import EntriesUnclear, Withdrawn

MOST_ENTRIES = 500
LONGEST_WAIT = timedelta(days=60)
# For how long after the time limit an answer that was on its way still counts.
GRACE = timedelta(seconds=15)
SLIDER = (0.0, 100.0)


@dataclass(frozen=True)
class Entry:
    """One thing that a page says.

    Attributes
    ----------
    key : str
        Made by the page; the same one again changes nothing.
    kind : str
        "score", "not_loaded", "entered", "handed_in" or "time_up".
    position : int
        Of the query in the participant's list.
    stimulus_id : int or None
    value : float or None
    shown_position : int
    looking_over : bool
    waited_ms : int
        How long ago it was when the page sent it: clocks of devices differ, durations do not.
    shown_ms : int
        How long the image had stood on the screen when it was answered.
    response_ms : int or None
        Time since the query appeared or the answer before, pauses and hidden tabs left out.
    """

    key: str
    kind: str
    position: int
    stimulus_id: int | None = None
    value: float | None = None
    shown_position: int = 0
    looking_over: bool = False
    waited_ms: int = 0
    shown_ms: int = 0
    response_ms: int | None = None


@dataclass(frozen=True)
class Receipt:
    """What the page is told: keys that are safe now, keys that are not taken and why, the state."""

    saved: list[str]
    refused: list[dict]
    state: str


def record(session, sitting, entries):
    """Take down entries, in their order; call inside `study_app.db.writing`.

    Raises
    ------
    Withdrawn
        Nothing of a withdrawn participant is kept.
    """
    _lock(session, sitting)
    if sitting.withdrawn_at:
        raise Withdrawn()
    desk = _Desk(session, sitting, entries)
    for entry in entries:
        desk.take(entry)
    desk.write()
    return Receipt(desk.saved, desk.refused, state_of(sitting))


def state_of(sitting):
    """ "ranking", "finished" or "withdrawn"."""
    if sitting.withdrawn_at:
        return "withdrawn"
    return "finished" if sitting.finished_at else "ranking"


def deadline(sitting):
    """When the time limit ends a sitting, or None."""
    minutes = sitting.task.minutes
    return sitting.agreed_at + timedelta(minutes=minutes) if minutes else None


class _Desk:
    """Sorts the entries of one request into rows, then writes them with few statements."""

    def __init__(self, session, sitting, entries):
        self.session, self.sitting, self.now = session, sitting, now()
        self.saved, self.refused = [], []
        self.rows, self.scores = [], {}
        keys = [entry.key for entry in entries]
        known = select(ScoreEntry.key).where(
            ScoreEntry.sitting_id == sitting.id, ScoreEntry.key.in_(keys)
        )
        self.known = set(session.scalars(known))
        positions = {entry.position for entry in entries if entry.position}
        assigned = select(AssignedQuery).where(
            AssignedQuery.sitting_id == sitting.id, AssignedQuery.position.in_(positions)
        )
        self.assigned = {query.position: query for query in session.scalars(assigned)}

    def take(self, entry):
        """Accept, recognise or refuse one entry."""
        if entry.key in self.known:
            self.saved.append(entry.key)
            return
        taking = {
            "score": self._score,
            "not_loaded": self._score,
            "entered": self._entered,
            "handed_in": self._handed_in,
            "time_up": self._time_up,
        }[entry.kind]
        try:
            reason = taking(entry)
        except EntriesUnclear as unclear:
            reason = str(unclear)
        if reason:
            self.refused.append({"key": entry.key, "reason": reason})
        else:
            self.saved.append(entry.key)

    def write(self):
        """Add the entries and let the last answer stand for each image."""
        if not self.rows:
            return
        insert = _insert(self.session)
        self.session.execute(insert(ScoreEntry), self.rows)
        change = insert(Score)
        change = change.on_conflict_do_update(
            index_elements=["assigned_query_id", "stimulus_id"],
            set_={"value": change.excluded.value, "answered_at": change.excluded.answered_at},
            where=_stands_before(change.excluded),
        )
        self.session.execute(change, list(self.scores.values()))
        self.rows, self.scores = [], {}

    def _query(self, entry):
        if entry.position not in self.assigned:
            raise EntriesUnclear(f"There is no query {entry.position} in this list.")
        return self.assigned[entry.position]

    def _answered_at(self, entry):
        waited = timedelta(milliseconds=max(0, entry.waited_ms))
        return self.now - min(waited, LONGEST_WAIT)

    def _score(self, entry):
        query = self._query(entry)
        if entry.stimulus_id not in query.shown_order:
            raise EntriesUnclear(f"Image {entry.stimulus_id} is not in query {entry.position}.")
        value = None if entry.kind == "not_loaded" else on_scale(self.sitting.task, entry.value)
        answered_at = self._answered_at(entry)
        ends = deadline(self.sitting)
        if self.sitting.finished_at or query.handed_in_at:
            return "handed_in"
        if ends and answered_at > ends + GRACE:
            return "time_up"
        self.known.add(entry.key)
        self.rows.append(
            {
                "sitting_id": self.sitting.id,
                "key": entry.key,
                "assigned_query_id": query.id,
                "stimulus_id": entry.stimulus_id,
                "value": value,
                "shown_position": entry.shown_position,
                "looking_over": entry.looking_over,
                "shown_at": answered_at - timedelta(milliseconds=entry.shown_ms),
                "answered_at": answered_at,
                "response_ms": entry.response_ms,
                "received_at": self.now,
            }
        )
        self._let_stand(query.id, entry.stimulus_id, value, answered_at)
        return None

    def _let_stand(self, query_id, stimulus_id, value, answered_at):
        """One statement may change a row once: the last answer of this request goes into it."""
        place = (query_id, stimulus_id)
        other = self.scores.get(place)
        both_scored = other and (value is None) == (other["value"] is None)
        if both_scored and answered_at < other["answered_at"]:
            return
        if other and not both_scored and value is None:
            return
        self.scores[place] = {
            "assigned_query_id": query_id,
            "stimulus_id": stimulus_id,
            "value": value,
            "answered_at": answered_at,
        }

    def _entered(self, entry):
        query = self._query(entry)
        query.entered_at = query.entered_at or self._answered_at(entry)

    def _handed_in(self, entry):
        query = self._query(entry)
        if query.handed_in_at:
            return None
        if self.sitting.finished_at:
            return "handed_in"
        self.write()
        stand = select(func.count()).where(Score.assigned_query_id == query.id)
        missing = len(query.shown_order) - self.session.scalar(stand)
        if missing:
            return f"{missing} images are not scored yet"
        query.handed_in_at = self._answered_at(entry)
        self.session.flush()
        still = select(func.count()).where(
            AssignedQuery.sitting_id == self.sitting.id, AssignedQuery.handed_in_at.is_(None)
        )
        if not self.session.scalar(still):
            self.sitting.finished_at = self.now
        return None

    def _time_up(self, entry):
        ends = deadline(self.sitting)
        if self.sitting.finished_at:
            return None
        if ends is None or self.now < ends - GRACE:
            return "there is time left"
        self.sitting.finished_at, self.sitting.time_up = self.now, True
        return None


def on_scale(task, value):
    """The value as it is kept, if it lies on the task's scale."""
    low, high = (1, task.points) if task.points else SLIDER
    if value is None or not low <= value <= high or (task.points and value != int(value)):
        raise EntriesUnclear(f"{value} is not on the scale from {low:g} to {high:g}.")
    return float(value)


def _lock(session, sitting):
    """Two tabs of one participant take turns; the row says when they were last seen."""
    session.execute(
        update(RankingSitting)
        .where(RankingSitting.id == sitting.id)
        .values(seen_at=now())
        .execution_options(synchronize_session=False)
    )
    session.refresh(sitting)


def _stands_before(new):
    """Whether a new row replaces the standing one: a later score, any score after a failed load."""
    later = new.answered_at >= Score.answered_at
    scored = and_(new.value.is_not(None), or_(Score.value.is_(None), later))
    return or_(scored, and_(new.value.is_(None), Score.value.is_(None)))


def _insert(session):
    return (postgresql if session.get_bind().dialect.name == "postgresql" else sqlite).insert
