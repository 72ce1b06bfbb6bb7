"""Photos of a table: the stored original, the reading, and a copy that is safe to show."""

from __future__ import annotations

import os
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
from sqlalchemy import select
from sqlalchemy.orm import Session

import printables
from printables.errors import PaperError
from printables.reading.photos import photo
from study_app.core.config import Settings
from study_app.core.errors import NotFound
from study_app.core.storage import photo_store
from study_app.core.storage.chosen_store import store_of
from study_app.core.storage.stores import FileMissing
from study_app.core.text.languages import translatable
from study_app.models import Photo, Sitting
from study_app.sittings.photos import photo_reading
from study_app.sittings.recording import known_cards, wrong_cards
from study_app.sittings.recording.stored_events import NotRecording, reopen
from study_app.sittings.sittings import touch

if TYPE_CHECKING:
    from printables.reading.reader import PhotoReading

SHOWN_SIDE_PX = 2400
JPEG_QUALITY = 85
FRAME_BYTES = 8_000_000
# A small file can have 120 megapixels, 1.4 GB while it is read; parallel reads are no faster.
READING = threading.BoundedSemaphore(max(1, min(4, os.cpu_count() or 1)))


@dataclass(frozen=True)
class Upload:
    """A photo that was read.

    Attributes
    ----------
    deck : TableDeck
        The deck whose cards were looked for.
    seen : printables.reading.reader.PhotoReading
    size : int
        Bytes of the file.
    """

    deck: known_cards.TableDeck
    seen: PhotoReading
    size: int


def read(deck: known_cards.TableDeck, content: bytes, name: str | None = None) -> Upload:
    """Read the cards in a photo; outside any transaction, since it takes a second or two.

    Parameters
    ----------
    deck : TableDeck
        From `known_cards.lasting_deck_of`, which needs no database.
    content : bytes
        The uploaded file.
    name : str, optional
        Its name, for error messages; without it, they name no file.

    Returns
    -------
    Upload

    Raises
    ------
    PaperError
        If it is not a photo.
    """
    try:
        with READING:
            seen = printables.read_photo(content, deck.known())
            return Upload(deck, seen, len(content))
    except PaperError as refusal:
        raise refusal.in_file(name) from refusal


def add(
    session: Session,
    sitting: Sitting,
    content_sha256: str,
    upload: Upload,
    one_group: bool = False,
) -> Photo:
    """Store a photo and its reading.

    For a photo that is already stored, the reading is replaced: the deck may have been reprinted
    since, or the photo may show one group after all. If it was discarded, it awaits review again.

    Parameters
    ----------
    content_sha256 : str
    upload : Upload

    Raises
    ------
    NotRecording
        If the sitting was finished while the photo was read.
    """
    if sitting.state != "recording":
        raise NotRecording(sitting)
    present = session.scalar(
        select(Photo).where(Photo.sitting_id == sitting.id, Photo.sha256 == content_sha256)
    )
    if present:
        if reopen(session, [present]):
            touch(sitting)
        read_again(session, sitting, present, upload, one_group)
        return present
    deck = known_cards.renewed(session, sitting, upload.deck)
    reading = photo_reading.on_table(session, deck, upload.seen)
    stored = Photo(
        sitting_id=sitting.id,
        sha256=content_sha256,
        original_bytes=upload.size,
        width=upload.seen.width,
        height=upload.seen.height,
        one_group=one_group,
        reading=reading,
    )
    session.add(stored)
    session.flush()
    touch(sitting)
    return stored


def read_again(
    session: Session, sitting: Sitting, stored: Photo, upload: Upload, one_group: bool
) -> None:
    """Replace the reading of a photo. If the photo was discarded, it stays so.

    Raises
    ------
    NotRecording
        If the sitting was finished while the photo was read.
    """
    if sitting.state != "recording":
        raise NotRecording(sitting)
    deck = known_cards.renewed(session, sitting, upload.deck)
    reading = photo_reading.on_table(session, deck, upload.seen)
    if (stored.reading, stored.one_group) != (reading, one_group):
        stored.reading, stored.one_group = reading, one_group
        touch(sitting)


def find(session: Session, sitting: Sitting, photo_id: int) -> Photo:
    """A photo of this sitting."""
    found = session.get(Photo, photo_id)
    if found is None or found.sitting_id != sitting.id:
        raise NotFound(translatable("photo"), str(photo_id))
    return found


def shown_name(settings: Settings, stored: Photo) -> str:
    """A copy of the photo for the screen: upright, smaller, and re-encoded from its pixels."""
    store, name = store_of(settings), photo_store.screen_name(stored.sha256)
    if not store.exists(name):
        with READING:
            pixels = photo.load_colour(photo_store.original(settings, stored.sha256))
        shown: cv2.typing.MatLike = pixels
        scale = min(1.0, SHOWN_SIDE_PX / max(pixels.shape[:2]))
        if scale < 1:
            size = (round(pixels.shape[1] * scale), round(pixels.shape[0] * scale))
            shown = cv2.resize(pixels, size, interpolation=cv2.INTER_AREA)
        _written, jpeg = cv2.imencode(".jpg", shown, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
        store.put(name, jpeg.tobytes())
        # A withdrawal deletes the original first, then this copy, which may not have been there.
        if not store.exists(photo_store.original_name(stored.sha256)):
            store.delete(name)
            raise FileMissing(name)
    return name


def read_frame(session: Session, sitting: Sitting, content: bytes) -> list[dict[str, Any]]:
    """Read a frame of the live camera: a verdict for each code in it, header cards first.

    Returns
    -------
    list of dict
        As `known_cards.verdict` gives them, wrong cards with the same reason in one sentence, with
        the `code`, the card's `outline` as shares of the frame's width and height, and `how` it was
        read: one that is "matched" is sure enough for a photo, but of a film's many frames one may
        err.
    """
    deck = known_cards.deck_of(session, sitting)
    stimulus_of = {deck.code(card): stimulus for card, stimulus in deck.stimuli.items()}
    with READING:
        seen = printables.read_codes(content, deck.known(), most_bytes=FRAME_BYTES)
    read = (*seen.symbols, *seen.foreign)
    how = {symbol.code: symbol.how for symbol in read}
    outline = {}
    if seen.plan is not None:
        places = np.concatenate([seen.plan.in_photo(), seen.foreign_outlines])
        shares = (places / [seen.width, seen.height]).round(4).tolist()
        outline = {symbol.code: place for symbol, place in zip(read, shares, strict=True)}
    verdicts = [
        {
            "code": code,
            "how": how[code],
            "outline": outline.get(code),
            **(
                {"stimulus": stimulus_of[code].id}
                if code in stimulus_of
                else known_cards.verdict(session, deck, code)
            ),
        }
        for code in sorted(how)
    ]
    wrong_cards.in_one_sentence(verdicts)
    return verdicts
