"""Recording photos without a page: reading, proposing and confirming in one step."""

import hashlib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

import printables
from basics.progress import Report, silent
from printables.cards import codes
from printables.errors import PaperError
from study_app.core.config import Settings
from study_app.core.database import own_session, writing
from study_app.core.errors import StudyError
from study_app.core.text.languages import rgettext
from study_app.models import Photo, Sitting, StimulusSet
from study_app.sittings import sittings
from study_app.sittings.photos import checks, photo_files, proposals, unfinished
from study_app.sittings.recording import closure, events, known_cards


class NoCardRead(StudyError):
    """No card of the table was read in the photos."""


class CardsOfNoSet(StudyError):
    """The cards in the photos do not show which set was sorted."""


@dataclass(frozen=True)
class Recorded:
    """The result of recording photos.

    Attributes
    ----------
    notes : list of str
        Points to check: unread cards, cards that do not belong, advice.
    placed, cards, groups : int
        Cards in a group, cards of the deck, groups.
    missing : list of int
        Numbers of the cards in no group.
    """

    notes: Sequence[str]
    placed: int
    cards: int
    groups: int
    missing: Sequence[int]


def recognise(study_id: int, photos: Sequence[tuple[str, bytes]]) -> tuple[int, int]:
    """The set and deck to which most codes in these photos belong.

    Parameters
    ----------
    photos : list of (str, bytes)
        Name and content.

    Returns
    -------
    set_id, deck : int

    Raises
    ------
    PaperError, CardsOfNoSet
    """
    seen: dict[tuple[int, int], set[int]] = {}
    for name, content in photos:
        try:
            symbols = printables.read_codes(content).symbols
        except PaperError as refusal:
            raise refusal.in_file(name) from refusal
        for symbol in symbols:
            code = codes.decode(symbol.code)
            seen.setdefault((code.set_number, code.deck), set()).add(code.card)
    with own_session() as session:
        of_study = select(StimulusSet.number, StimulusSet.id)
        of_study = of_study.where(StimulusSet.study_id == study_id)
        ids = {row.number: row.id for row in session.execute(of_study)}
    for number, deck in sorted(seen, key=lambda pair: -len(seen[pair])):
        if number in ids:
            return ids[number], deck
    raise CardsOfNoSet(
        rgettext(
            "No card of this study was found in the photos. Give the set with "
            "--set, or photograph from closer."
        )
    )


def record_photos(
    settings: Settings,
    study_id: int,
    code: str,
    photos: Sequence[tuple[str, bytes]],
    one_group: bool = False,
    report: Report = silent,
) -> Recorded:
    """Record photos into a sitting; repeating the same photos changes nothing.

    Parameters
    ----------
    settings : study_app.core.config.Settings
    study_id : int
    code : str
        Code of the sitting.
    photos : list of (str, bytes)
        Name and content.
    one_group : bool
        Whether each photo shows one group, rather than a table.
    report : callable
        Called with the number of photos read, and their number.

    Returns
    -------
    Recorded

    Raises
    ------
    PaperError, StudyError
        Nothing is recorded then.
    """
    with own_session() as session:
        sitting = sittings.find(session, study_id, code)
        if sitting.imported_from:
            raise sittings.NotInState(
                sitting, rgettext("it was imported, so it has no table to photograph")
            )
        deck = known_cards.lasting_deck_of(session, sitting)
    uploads = []
    for name, content in photos:
        uploads.append(photo_files.read(deck, content, name))
        report(len(uploads), len(photos))
    notes = []
    contents = [content for _name, content in photos]
    with unfinished.saved(settings, contents) as names, writing() as session:
        sitting = sittings.find(session, study_id, code, lock=True)
        if sitting.state in ("planned", "sorting"):
            sittings.begin_recording(session, sitting)
        stored = []
        for sha256, upload in zip(names, uploads, strict=True):
            stored.append(photo_files.add(session, sitting, sha256, upload, one_group))
        if one_group:
            notes += _each_one_group(session, sitting, stored, [name for name, _content in photos])
        else:
            notes += _as_table(session, sitting, stored)
        return _recorded(session, sitting, notes)


def _event_id(photos: Sequence[Photo]) -> str:
    joined = hashlib.sha256("".join(photo.sha256 for photo in photos).encode()).hexdigest()
    return f"photos-{joined[:24]}"


def in_sentences(found: Sequence[checks.Check], numbers: Mapping[str, int]) -> list[str]:
    """Put points to check into sentences with the groups' numbers.

    Parameters
    ----------
    found : list of Check
    numbers : dict from str to int
        Number of each group by its key.

    Returns
    -------
    list of str
        Groups in doubt for the same reason are in one sentence.
    """
    alike: dict[str, list[checks.Check]] = defaultdict(list)
    for check in found:
        alike[check.several or check.words].append(check)
    return [
        checks.with_numbers(first.words, numbers)
        if not more
        else first.several.replace(
            "%(groups)s",
            ("; " if len(first.doubted) > 1 else ", ").join(
                " + ".join(str(numbers.get(key, "?")) for key in check.doubted)
                for check in (first, *more)
            ),
        )
        for first, *more in alike.values()
    ]


def _as_table(session: Session, sitting: Sitting, photos: Sequence[Photo]) -> Sequence[str]:
    """Confirm what the photos show together; returns what to check, in sentences."""
    proposed = proposals.propose_for(session, sitting, photos)
    if not proposed.groups:
        raise _nothing_read(session, sitting, photos, proposed)
    wanted = events.Wanted(
        _event_id(photos),
        "confirm",
        [(group["key"], group["cards"]) for group in proposed.groups],
        photos=tuple(p.id for p in photos),
    )
    found = checks.of_photos(session, sitting, photos, proposed)
    events.record(session, sitting, wanted)
    numbers = {group.key: group.number for group in sitting.groups}
    return in_sentences(found, numbers)


def _nothing_read(
    session: Session, sitting: Sitting, photos: Sequence[Photo], proposed: proposals.Proposal
) -> NoCardRead:
    wrong = sum(len(photo.reading["wrong"]) for photo in photos)
    found = checks.of_photos(session, sitting, photos, proposed)
    if not wrong:
        words = " ".join(check.words for check in found)
        return NoCardRead(
            rgettext("No card of this table was found in the photos. %(words)s", words=words)
        )
    return NoCardRead(
        rgettext(
            "No card of this table was read in the photos, only %(wrong)s others. %(words)s",
            wrong=wrong,
            words=found[0].words,
        )
    )


def _each_one_group(
    session: Session, sitting: Sitting, photos: Sequence[Photo], names: Sequence[str]
) -> list[str]:
    """Record each photo as a new group, or as the group of its header card."""
    notes = []
    number = {s.id: s.card for s in known_cards.deck_of(session, sitting).stimuli.values()}
    for name, photo in zip(names, photos, strict=True):
        found = checks.of_photos(session, sitting, [photo], proposals.Proposal([]), counted=True)
        notes += [f"{name}: {check.words}" for check in found]
        cards = [card["stimulus"] for card in photo.reading["cards"]]
        seen = len({card["group"] for card in photo.reading["cards"]})
        if seen > 1:
            notes.append(f"{name}: shows {seen} groups; --one-group records it as one.")
        numbers = sorted({header["number"] for header in photo.reading["headers"]})
        key = f"header-{numbers[0]}" if len(numbers) == 1 else f"photo-{photo.id}"
        if len(numbers) > 1:
            listed = ", ".join(map(str, numbers))
            notes.append(f"Header cards {listed} are in one photo of one group and are ignored.")
        wanted = events.Wanted(_event_id([photo]), "place", [(key, cards)], photos=(photo.id,))
        elsewhere = events.record(session, sitting, wanted).elsewhere
        notes += [
            f"Card {number[stimulus]} is already in group {group} and stays there."
            for stimulus, group in elsewhere.items()
        ]
    return notes


def _recorded(session: Session, sitting: Sitting, notes: Sequence[str]) -> Recorded:
    found = closure.check(session, sitting)
    return Recorded(
        notes=notes,
        placed=found.placed,
        cards=found.placed + len(found.missing),
        groups=found.groups,
        missing=sorted(stimulus.card for stimulus in found.missing),
    )
