"""What a participant's page sends while somebody ranks, stored so that nothing counts twice.

Each entry carries a key that the page made. An entry is added once; the current score of an image
is that of its entry that was *answered* last, whichever request brings it and when.
"""

import random
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import Any

from sqlalchemy import Row, bindparam, func, select, update
from sqlalchemy.orm import Session
from sqlalchemy.orm.attributes import InstrumentedAttribute

from study_app.core.clock import is_set_back
from study_app.core.languages import gettext, ngettext
from study_app.models import now
from study_app.models.participation import WebSitting
from study_app.models.ranking import AssignedQuery, RankingTask, Score, ScoreEntry
from study_app.participation.endings.endings import Ending
from study_app.participation.sittings import parts
from study_app.participation.sittings import sitting as web_sitting
from study_app.participation.sittings.sitting import GRACE, UNTRACKED
from study_app.ranking.refusals import EntriesUnclear
from study_app.ranking.scores.attention import ending_of
from study_app.ranking.scores.current import add_scores
from study_app.ranking.scores.entries import Entry, Receipt, on_scale

# Of one sitting: forty times what the longest task has shown.
MOST_STORED, COUNT_EVERY = 50_000, 16

_TASK = RankingTask.__table__
_LOCKED = web_sitting.LOCKED.add_columns(
    _TASK.c.points, WebSitting.task_id, WebSitting.purpose
).join(_TASK, _TASK.c.id == WebSitting.task_id)
_NAMED_QUERIES = select(
    AssignedQuery.position,
    AssignedQuery.id,
    AssignedQuery.part,
    AssignedQuery.shown_order,
    AssignedQuery.handed_in_at,
).where(
    AssignedQuery.sitting_id == bindparam("sitting_id"),
    AssignedQuery.position.in_(bindparam("positions", expanding=True)),
)


def record(session: Session, token: str, entries: Sequence[Entry]) -> Receipt:
    """Store entries, in their order; call inside `study_app.core.database.writing`.

    Parameters
    ----------
    session : sqlalchemy.orm.Session
    token : str
        Of the sitting.
    entries : sequence of Entry

    Returns
    -------
    Receipt

    Raises
    ------
    LinkUnknown
        If no sitting has the token.
    Withdrawn
        Nothing of a withdrawn participant is stored.
    CheckFirst
        If the comprehension check comes first.
    """
    intake = _Intake(session, web_sitting.lock(session, token, _LOCKED), entries)
    _refuse_endless(session, intake.sitting.id)
    for entry in entries:
        intake.take(entry)
    intake.write()
    return Receipt(intake.saved, intake.refused, "finished" if intake.finished else "ranking")


def _refuse_endless(session: Session, sitting_id: int) -> None:
    """A program that changes its scores for ever fills no disk; people stay far below the bound.

    Counting costs, so that it is done at random requests only: one in `COUNT_EVERY`.
    """
    if random.randrange(COUNT_EVERY) == 0:
        entries = select(func.count()).where(ScoreEntry.sitting_id == sitting_id)
        if (session.scalar(entries) or 0) >= MOST_STORED:
            raise EntriesUnclear(gettext("This sitting holds too many changes of scores."))


def state_of(sitting: WebSitting) -> str:
    """What the page is told of a sitting: "ranking", "finished" or "withdrawn".

    A part that is done is finished for the page.
    """
    state = web_sitting.state_of(sitting)
    return {"begun": "ranking", "resting": "finished"}.get(state, state)


class _Intake:
    """Sorts the entries of one request into rows, then writes them with few statements."""

    def __init__(self, session: Session, sitting: Row[Any], entries: Sequence[Entry]) -> None:
        self.session, self.sitting, self.now = session, sitting, now()
        self.finished = (sitting.finished_at or sitting.next_part_at) is not None
        self.saved: list[str] = []
        self.refused: list[dict[str, str]] = []
        self.rows: dict[str, dict[str, Any]] = {}
        self.ends = web_sitting.deadline(sitting.ready_at, sitting.minutes)
        # Read after the lock: another tab may have handed in while this one waited for it.
        named = {"sitting_id": sitting.id, "positions": {entry.position for entry in entries}}
        assigned = session.connection().execute(_NAMED_QUERIES, named)
        self.assigned = {query.position: query for query in assigned}
        self.handed_in = {at for at, query in self.assigned.items() if query.handed_in_at}

    def take(self, entry: Entry) -> None:
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

    def write(self) -> None:
        """Add what was accepted so far."""
        add_scores(self.session, self.rows)
        self.rows = {}

    def _query(self, entry: Entry) -> Any:
        if entry.position not in self.assigned:
            raise EntriesUnclear(f"There is no query {entry.position} in this list.")
        query = self.assigned[entry.position]
        if query.part > self.sitting.part:
            raise EntriesUnclear(f"Query {entry.position} belongs to a later part.")
        return query

    def _is_known(self, entry: Entry) -> bool:
        """Whether an entry that comes too late now had come in time before."""
        known = select(ScoreEntry.id).where(
            ScoreEntry.sitting_id == self.sitting.id, ScoreEntry.key == entry.key
        )
        return self.session.scalar(known) is not None

    def _answered_at(self, entry: Entry) -> datetime:
        if entry.answered_ms is None:
            return self.now
        told = max(datetime.fromtimestamp(entry.answered_ms / 1000, UTC), self.sitting.agreed_at)
        # A page goes by the clock that this server had when it was opened, and so keeps the order
        # of its answers when that clock is set back.
        return told if told <= self.now or self._is_set_back else self.now

    @cached_property
    def _is_set_back(self) -> bool:
        """Whether the server's clock is behind what it was when this sitting was last heard of."""
        latest = select(func.max(ScoreEntry.received_at))
        heard = self.session.scalar(latest.where(ScoreEntry.sitting_id == self.sitting.id))
        return is_set_back(self.sitting.agreed_at, heard or self.sitting.agreed_at)

    def _score(self, entry: Entry) -> str | None:
        query = self._query(entry)
        if entry.stimulus_id not in query.shown_order:
            raise EntriesUnclear(f"Image {entry.stimulus_id} is not in query {entry.position}.")
        value = None if entry.kind == "not_loaded" else on_scale(self.sitting.points, entry.value)
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

    def _entered(self, entry: Entry) -> None:
        self._mark(self._query(entry), AssignedQuery.entered_at, entry)

    def _hand_in(self, entry: Entry) -> str | None:
        query = self._query(entry)
        if entry.position in self.handed_in:
            return None
        if self.finished:
            return "handed_in"
        self.write()
        scored = select(func.count()).where(Score.assigned_query_id == query.id)
        missing = len(query.shown_order) - (self.session.scalar(scored) or 0)
        if missing:
            return ngettext(
                "%(num)s image is not scored yet", "%(num)s images are not scored yet", missing
            )
        self._mark(query, AssignedQuery.handed_in_at, entry)
        self.handed_in.add(entry.position)
        self._end_part(query.part)
        return None

    def _end_part(self, part: int) -> None:
        """End the part if it is done: then rest, or finish after the last."""
        still = select(AssignedQuery.part).where(
            AssignedQuery.sitting_id == self.sitting.id, AssignedQuery.handed_in_at.is_(None)
        )
        left = set(self.session.scalars(still))
        if part in left:
            return
        if left:
            parts.rest(self.session, self.sitting.id, self.now, self.sitting.part_hours)
            self.finished = True
            return
        task = self.session.get_one(RankingTask, self.sitting.task_id)
        self._finish(ending_of(self.session, task, self.sitting.id))

    def _time_up(self, entry: Entry) -> str | None:
        if self.finished:
            return None
        # A simulated participant does not wait for it.
        if self.ends and self.sitting.purpose == "simulated":
            self._finish("time_up")
            return None
        if self.ends is None or max(self.now, self._answered_at(entry)) < self.ends - GRACE:
            return gettext("there is time left")
        self._finish("time_up")
        return None

    def _mark(
        self, query: Any, moment: InstrumentedAttribute[datetime | None], entry: Entry
    ) -> None:
        """Store when something first happened to a query."""
        first = update(AssignedQuery).where(AssignedQuery.id == query.id, moment.is_(None))
        self.session.execute(
            first.values({moment: self._answered_at(entry)}), execution_options=UNTRACKED
        )

    def _finish(self, ending: Ending) -> None:
        web_sitting.finish(self.session, self.sitting.id, self.now, ending)
        self.finished = True
