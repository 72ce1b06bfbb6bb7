"""The closure check: every card of the deck is in exactly one group, or there is a reason."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from study_app.core.errors import StudyError
from study_app.core.text.languages import gettext, ngettext, rgettext
from study_app.core.text.lengths import whole
from study_app.models import Event, Photo, Sitting, now
from study_app.sittings import sittings
from study_app.sittings.recording import known_cards
from study_app.sittings.recording.cards import Card
from study_app.sittings.recording.known_cards import TableDeck
from study_app.sittings.recording.stored_events import NotRecording, add_event
from study_app.sittings.recording.table_rows import placed_of


class ReasonMissing(StudyError):
    """Cards are missing without a reason."""

    status = 409

    def __init__(self, count: int) -> None:
        super().__init__(
            ngettext(
                "%(num)s card is not in a group. Find it, or enter why it is missing.",
                "%(num)s cards are not in a group. Find them, or enter why they are missing.",
                count,
            )
        )
        self.count = count


class NothingRecorded(StudyError):
    """No card of the sitting is in a group."""

    status = 409

    def __init__(self, sitting: Sitting) -> None:
        super().__init__(
            gettext(
                "No card of sitting %(code)s is in a group yet. Record the table first.",
                code=sitting.code,
            )
        )


class PhotosWaiting(StudyError):
    """Some photos are not confirmed."""

    status = 409

    def __init__(self, count: int) -> None:
        super().__init__(
            ngettext(
                "%(num)s photo is not confirmed. Confirm the groups, or discard the photo.",
                "%(num)s photos are not confirmed. Confirm the groups, or discard the photos.",
                count,
            )
        )


@dataclass(frozen=True)
class Check:
    """Progress of recording a table.

    Attributes
    ----------
    placed, groups : int
        Cards in a group, and groups with cards.
    missing : list of Card
        Cards of the deck in no group, by card number.
    waiting : int
        Photos that show cards and are neither confirmed nor discarded.
    """

    placed: int
    groups: int
    missing: Sequence[Card]
    waiting: int


def check(session: Session, sitting: Sitting) -> Check:
    """Check a table; recording ensures that no card is in two groups."""
    deck = known_cards.deck_of(session, sitting)
    return checked(session, sitting, deck, placed_of(session, sitting))


def checked(
    session: Session, sitting: Sitting, deck: TableDeck, placed: Mapping[int, int]
) -> Check:
    """Check a table whose deck and current groups are already read."""
    absent = [s for s in deck.stimuli.values() if s.id not in placed]
    open_photos = select(Photo).where(Photo.sitting_id == sitting.id, Photo.settled_by_id.is_(None))
    waiting = sum(shows_something(photo) for photo in session.scalars(open_photos))
    return Check(len(placed), len(set(placed.values())), absent, waiting)


def shows_something(photo: Photo) -> bool:
    """Whether a photo shows a card of the table, or may show one once it is read."""
    return bool(photo.reading["cards"]) or photo.reading.get("waiting", False)


def finish(
    session: Session, sitting: Sitting, reason: str = "", researcher_id: int | None = None
) -> None:
    """End a sitting: every card is in one group, or there is a reason why some are not.

    Raises
    ------
    StudyError
        If it is not being recorded, a photo waits to be confirmed, no card is recorded, or cards
        are missing without a reason.
    """
    if sitting.state != "recording":
        raise NotRecording(sitting)
    found = check(session, sitting)
    if found.waiting:
        raise PhotosWaiting(found.waiting)
    absent = found.missing
    if absent and not reason.strip():
        raise ReasonMissing(len(absent))
    if not found.placed:
        raise NothingRecorded(sitting)
    sitting.state, sitting.finished_at = "finished", now()
    sitting.missing_reason = whole(reason, 2000, gettext("The reason")) if absent else ""
    _add_event(session, sitting, "finish", sitting.missing_reason, researcher_id)


def reopen(
    session: Session, sitting: Sitting, reason: str, researcher_id: int | None = None
) -> None:
    """Reopen a finished sitting to correct it."""
    if sitting.state != "finished" or sitting.imported_from:
        raise sittings.NotInState(sitting, rgettext("only a finished table can be reopened"))
    sitting.state, sitting.finished_at = "recording", None
    _add_event(session, sitting, "reopen", whole(reason, 500, gettext("The reason")), researcher_id)


def _add_event(
    session: Session, sitting: Sitting, kind: str, reason: str, researcher_id: int | None
) -> None:
    of_sitting = select(func.count()).select_from(Event).where(Event.sitting_id == sitting.id)
    client_id = f"{kind}-{session.scalar(of_sitting)}"
    add_event(session, sitting, client_id, kind, reason=reason, researcher_id=researcher_id)
