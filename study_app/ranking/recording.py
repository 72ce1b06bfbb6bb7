"""What a participant's page sends while somebody ranks, taken down so that nothing counts twice.

Each entry carries a key that the page made. An entry is added once; what stands for an image is its
entry that was *answered* last, whichever request brings it and when.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property

from sqlalchemy import bindparam, func, select, update

from basics.plurals import counted
from study_app.accounts.researchers import token_hash
from study_app.models import now
from study_app.models.ranking import AssignedQuery, RankingSitting, RankingTask, Score, ScoreEntry
from study_app.participation import own_address
from study_app.participation.refusals import EntriesUnclear, LinkUnknown, Withdrawn
from study_app.ranking.current import add_scores

MOST_ENTRIES = 500
# For how long after the time limit an answer that was on its way still counts.
GRACE = timedelta(seconds=15)
SLIDER = (0.0, 100.0)
# Places are held for minutes: writing down each request would only cost.
SEEN_EVERY = timedelta(seconds=15)

_UNTRACKED = {"execution_options": {"synchronize_session": False}}


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
    answered_ms : int or None
        When it was, in ms since 1970 on the server's clock, as the page knows it from the plan: so
        the answers of one page keep their order however long each request takes. None is now.
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
    answered_ms: int | None = None
    shown_ms: int = 0
    response_ms: int | None = None


@dataclass(frozen=True)
class Receipt:
    """What the page is told: keys that are safe now, keys that are not taken and why, the state."""

    saved: list[str]
    refused: list[dict]
    state: str


def record(session, token, entries):
    """Take down entries, in their order; call inside `study_app.core.database.writing`.

    Parameters
    ----------
    session : sqlalchemy.orm.Session
    token : str
        Of the sitting.
    entries : list of Entry

    Returns
    -------
    Receipt

    Raises
    ------
    LinkUnknown
        If no sitting has the token.
    Withdrawn
        Nothing of a withdrawn participant is kept.
    """
    sitting = _lock(session, token)
    if sitting.withdrawn_at:
        raise Withdrawn()
    desk = _Desk(session, sitting, entries)
    for entry in entries:
        desk.take(entry)
    desk.write()
    return Receipt(desk.saved, desk.refused, "finished" if desk.finished else "ranking")


def state_of(sitting):
    """ "ranking", "finished" or "withdrawn"."""
    if sitting.withdrawn_at:
        return "withdrawn"
    return "finished" if sitting.finished_at else "ranking"


def deadline(sitting):
    """When the time limit ends a sitting, or None."""
    return _deadline(sitting.agreed_at, sitting.task.minutes)


def _deadline(agreed_at, minutes):
    return agreed_at + timedelta(minutes=minutes) if minutes else None


_SITTING = (
    select(
        RankingSitting.id,
        RankingSitting.agreed_at,
        RankingSitting.seen_at,
        RankingSitting.finished_at,
        RankingSitting.withdrawn_at,
        RankingTask.points,
        RankingTask.minutes,
    )
    .join(RankingTask, RankingTask.id == RankingSitting.task_id)
    .where(own_address.is_of(bindparam("token_hash")))
    .with_for_update(of=RankingSitting)
)
_NAMED_QUERIES = select(
    AssignedQuery.position,
    AssignedQuery.id,
    AssignedQuery.shown_order,
    AssignedQuery.handed_in_at,
).where(
    AssignedQuery.sitting_id == bindparam("sitting_id"),
    AssignedQuery.position.in_(bindparam("positions", expanding=True)),
)


def _lock(session, token):
    """Two tabs of one participant take turns; the row says when they were last seen, roughly."""
    sitting = session.execute(_SITTING, {"token_hash": token_hash(token)}).first()
    if sitting is None:
        raise LinkUnknown()
    if abs(now() - sitting.seen_at) > SEEN_EVERY:
        seen = update(RankingSitting).where(RankingSitting.id == sitting.id)
        session.execute(seen.values(seen_at=now()), **_UNTRACKED)
    return sitting


class _Desk:
    """Sorts the entries of one request into rows, then writes them with few statements."""

    def __init__(self, session, sitting, entries):
        self.session, self.sitting, self.now = session, sitting, now()
        self.finished = sitting.finished_at is not None
        self.saved, self.refused, self.rows = [], [], {}
        self.points, self.ends = sitting.points, _deadline(sitting.agreed_at, sitting.minutes)
        # Read after the lock: another tab may have handed in while this one waited for it.
        named = {"sitting_id": sitting.id, "positions": {entry.position for entry in entries}}
        assigned = session.execute(_NAMED_QUERIES, named)
        self.assigned = {query.position: query for query in assigned}
        self.handed_in = {at for at, query in self.assigned.items() if query.handed_in_at}

    def take(self, entry):
        """Accept or refuse one entry."""
        taking = {
            "score": self._score,
            "not_loaded": self._score,
            "entered": self._entered,
            "handed_in": self._hand_in,
            "time_up": self._time_up,
        }[entry.kind]
        try:
            reason = taking(entry)
        except EntriesUnclear as unclear:
            reason = str(unclear)
        if reason and not self._is_known(entry):
            self.refused.append({"key": entry.key, "reason": reason})
        else:
            self.saved.append(entry.key)

    def write(self):
        """Add what was accepted so far."""
        add_scores(self.session, self.rows)
        self.rows = {}

    def _query(self, entry):
        if entry.position not in self.assigned:
            raise EntriesUnclear(f"There is no query {entry.position} in this list.")
        return self.assigned[entry.position]

    def _is_known(self, entry):
        """Whether an entry that comes too late now had come in time before."""
        known = select(ScoreEntry.id).where(
            ScoreEntry.sitting_id == self.sitting.id, ScoreEntry.key == entry.key
        )
        return self.session.scalar(known) is not None

    def _answered_at(self, entry):
        if entry.answered_ms is None:
            return self.now
        told = max(datetime.fromtimestamp(entry.answered_ms / 1000, UTC), self.sitting.agreed_at)
        # A page goes by the clock that this server had when it was opened, and so keeps the order
        # of its answers when that clock is set back.
        return told if told <= self.now or self._is_set_back else self.now

    @cached_property
    def _is_set_back(self):
        """Whether the server's clock is behind what it was when this sitting was last heard of."""
        latest = select(func.max(ScoreEntry.received_at))
        heard = self.session.scalar(latest.where(ScoreEntry.sitting_id == self.sitting.id))
        return self.now < max(self.sitting.agreed_at, heard or self.sitting.agreed_at)

    def _score(self, entry):
        query = self._query(entry)
        if entry.stimulus_id not in query.shown_order:
            raise EntriesUnclear(f"Image {entry.stimulus_id} is not in query {entry.position}.")
        value = None if entry.kind == "not_loaded" else on_scale(self.points, entry.value)
        answered_at = self._answered_at(entry)
        if self.finished or entry.position in self.handed_in:
            return "handed_in"
        if self.ends and answered_at > self.ends + GRACE:
            return "time_up"
        self.rows.setdefault(
            entry.key,
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
            },
        )
        return None

    def _entered(self, entry):
        self._mark(self._query(entry), AssignedQuery.entered_at, entry)

    def _hand_in(self, entry):
        query = self._query(entry)
        if entry.position in self.handed_in:
            return None
        if self.finished:
            return "handed_in"
        self.write()
        stand = select(func.count()).where(Score.assigned_query_id == query.id)
        missing = len(query.shown_order) - self.session.scalar(stand)
        if missing:
            are = "is" if missing == 1 else "are"
            return f"{counted(missing, 'image')} {are} not scored yet"
        self._mark(query, AssignedQuery.handed_in_at, entry)
        self.handed_in.add(entry.position)
        still = select(func.count()).where(
            AssignedQuery.sitting_id == self.sitting.id, AssignedQuery.handed_in_at.is_(None)
        )
        if not self.session.scalar(still):
            self._finish(time_up=False)
        return None

    def _time_up(self, entry):
        if self.finished:
            return None
        if self.ends is None or max(self.now, self._answered_at(entry)) < self.ends - GRACE:
            return "there is time left"
        self._finish(time_up=True)
        return None

    def _mark(self, query, moment, entry):
        """Write down when something first happened to a query."""
        first = update(AssignedQuery).where(AssignedQuery.id == query.id, moment.is_(None))
        self.session.execute(first.values({moment: self._answered_at(entry)}), **_UNTRACKED)

    def _finish(self, time_up):
        ended = update(RankingSitting).where(RankingSitting.id == self.sitting.id)
        self.session.execute(ended.values(finished_at=self.now, time_up=time_up), **_UNTRACKED)
        self.finished = True


def on_scale(points, value):
    """The value as it is kept, if it lies on the scale of so many points, or on the slider."""
    low, high = (1, points) if points else SLIDER
    if value is None or not low <= value <= high or (points and value != int(value)):
        raise EntriesUnclear(f"{value} is not on the scale from {low:g} to {high:g}.")
    return float(value)
