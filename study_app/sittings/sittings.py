"""Sittings: planned, sorted, recorded, finished."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from sqlalchemy import bindparam, exists, func, select, update
from sqlalchemy.orm import Session, joinedload, object_session, subqueryload
from sqlalchemy.orm.attributes import set_committed_value

from study_app.core.errors import NotFound, StudyError
from study_app.core.study_step import StudyStep
from study_app.core.text.languages import rgettext, rtranslatable, share_in_words, translatable
from study_app.core.text.lengths import whole
from study_app.models import Deck, Event, Photo, Sitting, StimulusSet, Study, StudyInstructions, now
from study_app.sittings import assessors, consent, orders

LONGEST_LIMIT_MINUTES = 24 * 60
LONGEST_TEXT = 20_000
# Built once, because every save of a table runs them.
_FOUND = select(Sitting).where(
    Sitting.study_id == bindparam("study_id"), Sitting.number == bindparam("number")
)
_LOCKED = _FOUND.with_for_update().execution_options(populate_existing=True)
_TOUCH = (
    update(Sitting)
    .where(Sitting.id == bindparam("sitting_id"))
    .values(revision=Sitting.revision + 1)
    .returning(Sitting.revision)
)

# NOTE: keep the empty lines between the paragraphs
INSTRUCTIONS = translatable("""Please sort these cards into groups.

Put drawings that look similar to you into one group. There is no right or wrong, and no fixed \
number of groups: make as many or as few as you like. A card that looks like no other can stay on \
its own.

You can move cards and change groups until you are happy with them. Please say when you are \
done.""")


class NothingToPlan(StudyError):
    """The plan has no sets or no assessors."""

    def __init__(self, what: str) -> None:
        super().__init__(rgettext("Name at least one %(what)s to plan sittings.", what=what))


class BadLimit(StudyError):
    """The time limit is invalid."""

    def __init__(self) -> None:
        super().__init__(
            rgettext(
                "Time limit must be a whole number in minutes, "
                "1–%(longest_limit_minutes)s, or empty.",
                longest_limit_minutes=format(LONGEST_LIMIT_MINUTES, ","),
            )
        )


class NotInState(StudyError):
    """The sitting is in the wrong state for this step."""

    status = 409

    def __init__(self, sitting: Sitting, wanted: str) -> None:
        super().__init__(
            rgettext(
                "Sitting %(code)s is %(state)s; %(wanted)s.",
                code=sitting.code,
                state=rgettext(sitting.state),
                wanted=wanted,
            )
        )
        self.state = sitting.state


@dataclass(frozen=True)
class Plan:
    """Sittings to plan: every set with every assessor.

    Attributes
    ----------
    sets : list of StimulusSet
    assessors : list of list of (code, age band, gender)
        From `assessors.read_lines`; one or two people per sitting.
    decks : list of int
        Deck numbers, used in turn: with A and B, two assessors can sort at the same time.
    limit_minutes : int, optional
    day : date, optional
        The planned day.
    """

    sets: Sequence[StimulusSet]
    assessors: Sequence[Sequence[assessors.Person]]
    decks: tuple[int, ...] = (1,)
    limit_minutes: int | None = None
    day: date | None = None


def step(session: Session, study: Study) -> StudyStep:
    """The step "Sittings": how many of the planned ones are finished, without double entries."""
    query = select(Sitting.state, func.count()).where(
        Sitting.study_id == study.id,
        Sitting.first_entry_id.is_(None),
        Sitting.state != "withdrawn",
    )
    counts = dict(session.execute(query.group_by(Sitting.state)).all())
    planned, finished = sum(counts.values()), counts.get("finished", 0)
    state = share_in_words(finished, planned) if planned else ""
    return StudyStep(
        rtranslatable("Sittings"), "sittings.page", state, done=0 < planned == finished
    )


def find(session: Session, study_id: int, written: str | int, lock: bool = False) -> Sitting:
    """The sitting with a code ("T012") or number in a study; `lock` blocks other writers."""
    known = {"study_id": study_id, "number": number_of(written)}
    sitting = session.scalar(_LOCKED if lock else _FOUND, known)
    if sitting is None:
        raise NotFound(translatable("sitting"), str(written)[:40])
    return sitting


def number_of(written: str | int) -> int:
    """The number in a sitting's code, "T012" or 12."""
    found = re.fullmatch(r"[Tt]?0*([1-9]\d{0,8})", str(written).strip())
    if found is None:
        raise NotFound(translatable("sitting"), str(written)[:40])
    return int(found[1])


def all_of(session: Session, study_id: int) -> Sequence[Sitting]:
    """Every sitting of a study with its set and its assessors, by number."""
    query = select(Sitting).where(Sitting.study_id == study_id).order_by(Sitting.number)
    whole = joinedload(Sitting.set), subqueryload(Sitting.assessors)
    return session.scalars(query.options(*whole)).all()


def plan(
    session: Session, study: Study, wanted: Plan, first_number: int | None = None
) -> list[Sitting]:
    """Plan counterbalanced sittings; those already planned are not planned again.

    Parameters
    ----------
    session : database session
    study : study_app.models.Study
    wanted : Plan
    first_number : int, optional
        Number of the first new sitting; by default the next free one.

    Returns
    -------
    list of Sitting
        The new sittings.
    """
    if not wanted.sets:
        raise NothingToPlan(rgettext("set"))
    if not wanted.assessors:
        raise NothingToPlan(rgettext("assessor"))
    check_limit(wanted.limit_minutes)
    present = {
        (s.set_id, s.deck_number, s.assessor)
        for s in all_of(session, study.id)
        if s.state != "withdrawn"
    }
    number = first_number or next_number(session, study)
    made: list[Sitting] = []
    for at, together in enumerate(wanted.assessors):
        deck = wanted.decks[at % len(wanted.decks)]
        people = [assessors.find_or_make(session, study, *person) for person in together]
        people.sort(key=lambda person: person.id)
        unit = "+".join(person.code for person in people)
        for stimulus_set in wanted.sets:
            if (stimulus_set.id, deck, unit) in present:
                continue
            sitting = Sitting(
                study_id=study.id,
                number=number + len(made),
                set=stimulus_set,
                deck_number=deck,
                limit_minutes=wanted.limit_minutes,
                day=wanted.day,
                assessors=people,
            )
            session.add(sitting)
            made.append(sitting)
    session.flush()
    orders.assign_orders(session, study.id)
    return made


def check_limit(minutes: int | None) -> None:
    """Raise an error for an invalid time limit."""
    if minutes is not None and not 0 < minutes <= LONGEST_LIMIT_MINUTES:
        raise BadLimit()


def next_number(session: Session, study: Study) -> int:
    """The number of the next sitting; the locked study row prevents duplicates."""
    session.execute(select(type(study).id).where(type(study).id == study.id).with_for_update())
    newest = session.scalar(select(func.max(Sitting.number)).where(Sitting.study_id == study.id))
    return (newest or 0) + 1


def start(session: Session, sitting: Sitting) -> None:
    """Start sorting and its timer."""
    if sitting.state != "planned":
        raise NotInState(sitting, rgettext("only a planned sitting can be started"))
    consent.refuse_missing(session, sitting)
    sitting.started_at = now()
    _to(sitting, "sorting")


def begin_recording(session: Session, sitting: Sitting) -> None:
    """End sorting and its timer, and start recording the table."""
    if sitting.state not in ("planned", "sorting"):
        raise NotInState(sitting, rgettext("sorting has already ended"))
    if sitting.state == "planned":
        consent.refuse_missing(session, sitting)
    if sitting.started_at:
        sitting.stopped_at = now()
    sitting.deck_id = session.scalar(
        select(Deck.id).where(Deck.set_id == sitting.set_id, Deck.number == sitting.deck_number)
    )
    _to(sitting, "recording")


def back_to_sorting(session: Session, sitting: Sitting) -> None:
    """Resume sorting; the timer continues from the original start."""
    if sitting.state != "recording" or not sitting.started_at:
        raise NotInState(
            sitting, rgettext("only a sitting that is being recorded can go back to sorting")
        )
    sitting.stopped_at = None
    _to(sitting, "sorting")


@dataclass(frozen=True)
class Change:
    """The settings of a sitting that can be changed."""

    notes: str
    limit_minutes: int | None
    instructions: str
    deck: int | None
    day: date | None = None


def change(sitting: Sitting, wanted: Change) -> None:
    """Save notes, time limit, own instructions, day, and, before it is recorded, the deck."""
    check_limit(wanted.limit_minutes)
    if wanted.deck != sitting.deck_number and sitting.state not in ("planned", "sorting"):
        raise NotInState(sitting, rgettext("its deck can only be changed before recording starts"))
    sitting.notes = _plain(wanted.notes)
    sitting.limit_minutes = wanted.limit_minutes
    sitting.instructions = _plain(wanted.instructions) or None
    sitting.deck_number, sitting.day = wanted.deck, wanted.day
    touch(sitting)


def touch(sitting: Sitting) -> None:
    """Notify other tablets of a change."""
    session: Any = object_session(sitting)
    revision = session.connection().scalar(_TOUCH, {"sitting_id": sitting.id})
    set_committed_value(sitting, "revision", revision)


def may_remove(session: Session, sitting: Sitting) -> bool:
    """Whether nothing was recorded: a planned sitting, or a second entry that was never started."""
    if sitting.state != "planned" and not (sitting.first_entry_id and sitting.state == "recording"):
        return False
    return not any(
        session.scalar(select(exists().where(table.sitting_id == sitting.id)))
        for table in (Event, Photo)
    )


def remove(session: Session, sitting: Sitting) -> None:
    """Delete a sitting in which nothing was recorded, and assessors about whom nothing else is."""
    if not may_remove(session, sitting):
        raise NotInState(
            sitting, rgettext("only a planned sitting, or an empty second entry, can be deleted")
        )
    for other in session.scalars(select(Sitting).where(Sitting.retest_of_id == sitting.id)):
        raise NotInState(sitting, rgettext("delete its retest %(code)s first", code=other.code))
    people, sitting.assessors = list(sitting.assessors), []
    session.flush()
    session.delete(sitting)
    assessors.delete_unknown(session, people)


def enter_again(session: Session, study: Study, sitting: Sitting) -> Sitting:
    """Create a second entry of a table, to be compared with the first."""
    if sitting.first_entry_id or sitting.imported_from:
        raise NotInState(sitting, rgettext("a second entry needs a first entry from a table"))
    query = select(Sitting).where(Sitting.first_entry_id == sitting.id)
    present = session.scalar(query)
    if present:
        return present
    again = Sitting(
        study_id=study.id,
        number=next_number(session, study),
        set_id=sitting.set_id,
        deck_number=sitting.deck_number,
        deck_id=sitting.deck_id,
        first_entry_id=sitting.id,
        state="recording",
        assessors=list(sitting.assessors),
    )
    session.add(again)
    session.flush()
    return again


def instructions_of(session: Session, sitting: Sitting) -> str:
    """The instructions of this sitting."""
    return sitting.instructions or study_instructions(session, sitting.study_id)


def study_instructions(session: Session, study_id: int) -> str:
    """The instructions of the study."""
    stored = session.get(StudyInstructions, study_id)
    return stored.text if stored else INSTRUCTIONS


def set_study_instructions(session: Session, study_id: int, text: str) -> None:
    """Save the study's instructions; an empty text restores the default."""
    stored, text = session.get(StudyInstructions, study_id), _plain(text)
    if stored and not text:
        session.delete(stored)
    elif stored:
        stored.text = text
    elif text:
        session.add(StudyInstructions(study_id=study_id, text=text))
    session.flush()


def _plain(text: str) -> str:
    return whole(text, LONGEST_TEXT, rgettext("The text"))


def _to(sitting: Sitting, state: str) -> None:
    sitting.state = state
    touch(sitting)
