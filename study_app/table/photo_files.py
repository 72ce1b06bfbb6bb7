"""Photos of a table: the original kept, what was read in it, and a copy that is safe to show."""

import hashlib
import os
import tempfile
from pathlib import Path

import cv2
import numpy as np
from sqlalchemy import select

from printables import codes, decoding, photo, reader
from printables.errors import PaperError
from printables.known_deck import KnownDeck
from study_app.errors import NotFound
from study_app.models import Photo, now
from study_app.sittings import touch
from study_app.table import known_cards

SHOWN_SIDE_PX = 2400
JPEG_QUALITY = 85
FRAME_BYTES = 8_000_000


def read(deck, content, name=None):
    """Read the cards in a photo; outside any transaction, since it takes a second or two.

    Parameters
    ----------
    deck : known_cards.TableDeck
    content : bytes
        The file as it came.
    name : str, optional
        What the researcher calls it, for refusals.

    Returns
    -------
    PhotoReading
        As `printables.reader` gives it.

    Raises
    ------
    PaperError
        If it is no photo.
    """
    known = KnownDeck([deck.code(card) for card in deck.stimuli], deck.layout)
    try:
        return reader.read_photo(content, known)
    except PaperError as refusal:
        raise PaperError(str(refusal).replace("the photo", name or "the photo", 1)) from refusal


def keep(settings, content):
    """Write the original into the instance folder under its SHA-256; give that name."""
    sha256 = hashlib.sha256(content).hexdigest()
    path = _place(settings, sha256, "")
    if not path.exists():
        _write(path, content)
    return sha256


def add(session, sitting, content_sha256, size, seen, one_group=False):
    """Note down a photo and what was read in it; the same photo again is the one that stands.

    Parameters
    ----------
    size : int
        Bytes of the original.
    seen : printables.reader.PhotoReading
    """
    present = session.scalar(
        select(Photo).where(Photo.sitting_id == sitting.id, Photo.sha256 == content_sha256)
    )
    if present:
        return present
    kept = Photo(
        sitting_id=sitting.id,
        sha256=content_sha256,
        original_bytes=size,
        width=seen.width,
        height=seen.height,
        one_group=one_group,
        reading=_on_table(session, sitting, seen),
    )
    session.add(kept)
    session.flush()
    touch(sitting)
    return kept


def _on_table(session, sitting, seen):
    """What was read, in words of this table: its cards, and what does not belong."""
    deck = known_cards.deck_of(session, sitting)
    outlines = zip(seen.plan.in_photo(), seen.plan.outlines, strict=True) if seen.plan else []
    cards, wrong, taken = [], [], set()
    for symbol, (outline, place_mm) in zip(seen.symbols, outlines, strict=True):
        stimulus = deck.stimuli[codes.decode(symbol.code).card]
        if stimulus.id in taken:
            sentence = (
                f"Card {stimulus.card} lies here twice; one of the two is a reprint: take it away."
            )
            wrong.append(_wrong(sentence, stimulus.id, symbol))
            continue
        taken.add(stimulus.id)
        cards.append(
            {
                "stimulus": stimulus.id,
                "code": symbol.code,
                "how": symbol.how,
                "margin": symbol.margin,
                "corners": _rounded(symbol.corners),
                "outline": _rounded(outline),
                "place_mm": _rounded(place_mm),
                "group": symbol.group,
            }
        )
    verdicts = [(s, known_cards.verdict(session, deck, s.code)) for s in seen.foreign]
    wrong += [_wrong(v["refused"], v["stimulus"], s) for s, v in verdicts if "refused" in v]
    return {
        "cards": cards,
        "wrong": wrong,
        "headers": [v["header"] for _symbol, v in verdicts if "header" in v],
        "unread": [_rounded(outline) for outline in seen.unread],
        "advice": list(seen.advice),
    }


def _wrong(sentence, stimulus_id, symbol):
    return {"refused": sentence, "stimulus": stimulus_id, "corners": _rounded(symbol.corners)}


def _rounded(points):
    return np.round(np.asarray(points, float), 1).tolist()


def find(session, sitting, photo_id):
    """A photo of this sitting."""
    found = session.get(Photo, photo_id)
    if found is None or found.sitting_id != sitting.id:
        raise NotFound("photo", str(photo_id))
    return found


def set_aside(session, sitting, photo_id):
    """Look no further at a photo; it is kept."""
    found = find(session, sitting, photo_id)
    found.settled_at = found.settled_at or now()
    touch(sitting)


def shown_path(settings, kept):
    """A copy of the photo for the screen: upright, smaller, and drawn anew from its pixels."""
    path = _place(settings, kept.sha256, ".jpg")
    if not path.exists():
        pixels = photo.load_colour(_place(settings, kept.sha256, ""))
        scale = min(1.0, SHOWN_SIDE_PX / max(pixels.shape[:2]))
        if scale < 1:
            pixels = cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        _written, jpeg = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
        _write(path, jpeg.tobytes())
    return path


def read_frame(session, sitting, content):
    """What a frame of the live camera shows: a verdict for each code in it."""
    grey = photo.load_grey(content, FRAME_BYTES)
    deck = known_cards.deck_of(session, sitting)
    found = sorted({symbol.code for symbol in decoding.decode_frame(grey)})
    return [{"code": code, **known_cards.verdict(session, deck, code)} for code in found]


def original_path(settings, sha256):
    """The file as it came, with whatever a camera wrote into it: never served, never exported."""
    return _place(settings, sha256, "")


def _place(settings, sha256, ending):
    return Path(settings.instance) / "photos" / sha256[:2] / (sha256 + ending)


def _write(path, content):
    """Write a file whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, written = tempfile.mkstemp(dir=path.parent, prefix=".part-")
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    Path(written).replace(path)
