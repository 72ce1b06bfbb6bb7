"""The missing cards that an unread card in a photo may be, by its sketch."""

from __future__ import annotations

import io
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image, UnidentifiedImageError
from sqlalchemy.orm import Session

from printables.cards.card import CardLayout
from printables.reading.photos.photo import load_grey
from printables.reading.unread.sketch_correlation import Lines, lines_on_card, sketch_correlation
from study_app.core.config import Settings
from study_app.core.storage import content, photo_store, pictures
from study_app.core.storage.chosen_store import store_of
from study_app.core.storage.stores import FileDamaged, FileMissing
from study_app.models import Photo, Sitting
from study_app.sittings.photos import photo_files
from study_app.sittings.photos.proposals import to_table_of
from study_app.sittings.recording import known_cards
from study_app.sittings.recording.cards import Card
from study_app.sittings.recording.table_rows import placed_of

MOST_COMPARED = 500
"""Most missing cards that are compared: more take several seconds."""
LEAST_CORRELATION = 0.5
"""Correlation of the likeliest card below which no card is shown. In 66 photos by a fifth
simulator, it is greater for 312 of the 338 unread cards whose own sketch is the likeliest, and for
27 of 281 that lie face down."""


@dataclass(frozen=True)
class UnreadCard:
    """An unread card in a photo, and the cards that it may be.

    Attributes
    ----------
    sha256 : str
        Of the photo.
    to_table : float array, shape (3, 3)
        Homography from the photo's pixels to millimetres.
    outline : float array, shape (4, 2)
        Millimetres.
    layout : CardLayout
    missing : list of Card
        Cards of the table that are neither in a group nor read in a photo.
    """

    sha256: str
    to_table: NDArray[np.float64]
    outline: NDArray[np.float64]
    layout: CardLayout
    missing: Sequence[Card]

    def likely(self, settings: Settings) -> list[int] | None:
        """Compare the photo with the sketches of the missing cards.

        Parameters
        ----------
        settings : Settings

        Returns
        -------
        list of int or None
            Stimuli of the missing cards, the likeliest first; empty if it is similar to none, None
            if none of their sketches is stored.

        Raises
        ------
        study_app.core.storage.stores.FileMissing, FileDamaged
            If the photo is not stored.
        printables.errors.PaperError
            If it cannot be opened.
        """
        lines: dict[int, Lines] = {}
        for card in self.missing:
            # without sketches whose file is missing or damaged
            with suppress(FileMissing, FileDamaged, UnidentifiedImageError):
                lines[card.id] = _lines(settings, card.sha256, self.layout)
        if not lines:
            return None
        with photo_files.READING:
            grey = load_grey(photo_store.original(settings, self.sha256))
            found = sketch_correlation(
                grey, self.to_table, self.outline, self.layout, list(lines.values())
            )
        if found.max(initial=0) < LEAST_CORRELATION:
            return []
        stimuli = list(lines)
        return [stimuli[at] for at in np.argsort(-found, kind="stable")]


def unread_card(
    session: Session, sitting: Sitting, photo: Photo, place: int, photos: Sequence[Photo] = ()
) -> UnreadCard | None:
    """Collect what is known of an unread card in a photo.

    Parameters
    ----------
    session : Session
    sitting : Sitting
    photo : Photo
        Of the sitting.
    place : int
        Of the card, among the unread cards of the photo's reading.
    photos : sequence of Photo
        Others of the same table, which may have read cards that this one did not.

    Returns
    -------
    UnreadCard or None
        None if there is no such card, as after the photo was read again, no card is missing or too
        many are, or the cards read do not tell how large the photo shows cards.
    """
    reading = photo.reading
    outlines = reading.get("unread_mm", [])
    if not reading["cards"] or place >= len(outlines):
        return None
    to_table = to_table_of(reading["cards"])
    if to_table is None:
        return None
    deck = known_cards.deck_of(session, sitting)
    read = {card["stimulus"] for one in (photo, *photos) for card in one.reading["cards"]}
    placed = placed_of(session, sitting).keys() | read
    missing = [card for card in deck.stimuli.values() if card.id not in placed]
    if not 0 < len(missing) <= MOST_COMPARED:
        return None
    return UnreadCard(photo.sha256, to_table, np.array(outlines[place]), deck.layout, missing)


# A table of 300 cards has some dozens of unread ones, which are compared with the same sketches.
@lru_cache(maxsize=2000)
def _lines(settings: Settings, sha256: str, layout: CardLayout) -> Lines:
    """The lines of a sketch."""
    thumbnail = content.read(store_of(settings), pictures.thumbnail_name(sha256))
    grey = np.asarray(Image.open(io.BytesIO(thumbnail)).convert("L"), np.uint8)
    return lines_on_card(grey, layout)
