"""Undoing an act: its cards, its words and its photos are as they were before it.

Nothing is deleted. What undoes an act is one more act with rows of its own, and what was done since
with the same card or group stays done.
"""

from typing import NamedTuple

from sqlalchemy import select

from study_app.models import Act, GroupDescription, Photo, Scan
from study_app.sittings.recording.events import (
    BadAct,
    add_act,
    check_writable,
    rows_of,
    sent_before,
)
from study_app.sittings.recording.table_state import put_back, standing

NOT_UNDONE = ("undo", "finish", "reopen", "import")


class Words(NamedTuple):
    """The name and the note that an act gave a group."""

    act: int
    undoes: int | None
    name: str
    note: str


def undo(session, sitting, client_id, undone, researcher_id=None):
    """Put what an act changed back, as far as nothing was done with it since.

    Parameters
    ----------
    undone : str
        Client id of the act to undo.
    """
    check_writable(sitting, client_id)
    if sent_before(session, sitting, client_id):
        return
    act = sent_before(session, sitting, undone)
    if act is None or act.kind in NOT_UNDONE:
        raise BadAct("there is no such act to undo")
    back = put_back(rows_of(session, sitting), act.id)
    how = {scan.stimulus_id: scan.how for scan in act.scans}
    columns = {"reason": "undone", "researcher_id": researcher_id, "undoes_id": act.id}
    answer = add_act(session, sitting, client_id, "undo", **columns)
    for stimulus, group in sorted(back.items()):
        session.add(Scan(act_id=answer.id, stimulus_id=stimulus, group_id=group, how=how[stimulus]))
    _call_as_before(session, sitting, act, answer)
    for photo in session.scalars(select(Photo).where(Photo.settled_by_id == act.id)):
        photo.settled_by_id = None
    session.flush()


def _call_as_before(session, sitting, act, answer):
    """Give groups that the act was the last to describe their names and notes of before."""
    undoes = dict(
        tuple(row)
        for row in session.execute(
            select(Act.id, Act.undoes_id).where(Act.sitting_id == sitting.id)
        )
    )
    for group in sitting.groups:
        words = [Words(d.act_id, undoes[d.act_id], d.name, d.note) for d in group.descriptions]
        *before, last = [None, *standing(words)]
        if last and last.act == act.id:
            name, note = before[-1][2:] if before[-1] else ("", "")
            group.descriptions.append(GroupDescription(act_id=answer.id, name=name, note=note))


def undoable(session, sitting):
    """Numbers of the acts that changed something and are not undone yet."""
    acts = select(Act.id).where(Act.sitting_id == sitting.id)
    changed = (
        select(Scan.act_id).where(Scan.act_id.in_(acts)),
        select(GroupDescription.act_id).where(GroupDescription.act_id.in_(acts)),
        select(Photo.settled_by_id).where(Photo.sitting_id == sitting.id),
    )
    gone = select(Act.undoes_id).where(Act.sitting_id == sitting.id, Act.undoes_id.is_not(None))
    kinds = select(Act.id).where(
        Act.sitting_id == sitting.id, Act.kind.not_in(NOT_UNDONE), Act.id.not_in(gone)
    )
    return {n for query in changed for n in session.scalars(query)} & {*session.scalars(kinds)}
