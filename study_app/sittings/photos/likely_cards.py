"""The missing cards that an unread card in a photo may be, by its sketch."""

from __future__ import annotations

import io
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image
from sqlalchemy.orm import Session

from printables.cards.card import CardLayout
from printables.reading.photos.photo import load_grey
from printables.reading.unread.likeness import Lines, likeness, lines_on_card
from study_app.core.config import Settings
from study_app.core.storage import content, photo_store, pictures
from study_app.core.storage.chosen_store import store_of
from study_app.core.storage.stores import FileDamaged, FileMissing
from study_app.models import Photo, Sitting
from study_app.sittings.recording import known_cards
from study_app.sittings.recording.cards import Card
from study_app.sittings.recording.table_rows import placed_of

MOST = 4
"""Most cards that are named; the page shows them beside the photo."""
LEAST_LIKENESS = 0.55
"""Likeness of the likeliest card below which none is named. In 66 photos by a fifth simulator, it
is greater for 317 of the 341 unread cards whose own sketch is the likeliest, and for 29 of 281 that
lie face down."""


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
        Cards of the table that are neither in a group nor read in the photo.
    """

    sha256: str
    to_table: NDArray[np.float64]
    outline: NDArray[np.float64]
    layout: CardLayout
    missing: Sequence[Card]

    def likely(self, settings: Settings) -> list[int]:
        """Compare the photo with the sketches of the missing cards.

        Parameters
        ----------
        settings : Settings

        Returns
        -------
        list of int
            Stimuli of at most `MOST` cards, the likeliest first; empty if the card resembles none.

        Raises
        ------
        study_app.core.storage.stores.FileMissing, FileDamaged
            If the photo is not stored.
        """
        grey = load_grey(photo_store.original(settings, self.sha256))
        lines: dict[int, Lines] = {}
        for card in self.missing:
            # a sketch that is lost is not named
            with suppress(FileMissing, FileDamaged):
                lines[card.id] = _lines(settings, card, self.layout)
        found = likeness(grey, self.to_table, self.outline, self.layout, list(lines.values()))
        if found.max(initial=0) < LEAST_LIKENESS:
            return []
        stimuli = list(lines)
        return [stimuli[at] for at in np.argsort(-found, kind="stable")[:MOST]]


def unread_card(session: Session, sitting: Sitting, photo: Photo, place: int) -> UnreadCard | None:
    """Collect what is known of an unread card in a photo.

    Parameters
    ----------
    session : Session
    sitting : Sitting
    photo : Photo
        Of the sitting.
    place : int
        Of the card, among the unread cards of the photo's reading.

    Returns
    -------
    UnreadCard or None
        None if there is no such card, as after the photo was read again, or no card was read, so
        that nothing tells how large the photo shows cards.
    """
    reading = photo.reading
    outlines = reading.get("unread_mm", [])
    if not reading["cards"] or place >= len(outlines):
        return None
    deck = known_cards.deck_of(session, sitting)
    placed = placed_of(session, sitting).keys() | {card["stimulus"] for card in reading["cards"]}
    missing = [card for card in deck.stimuli.values() if card.id not in placed]
    to_table, outline = _to_table(reading["cards"]), np.array(outlines[place])
    return UnreadCard(photo.sha256, to_table, outline, deck.layout, missing)


def _to_table(cards: Sequence[dict[str, Any]]) -> NDArray[np.float64]:
    """The homography from pixels to millimetres, from the outlines of the cards read."""
    seen, lying = (
        np.array([card[key] for card in cards], float).reshape(-1, 2)
        for key in ("outline", "place_mm")
    )
    return np.asarray(cv2.findHomography(seen, lying)[0])


def _lines(settings: Settings, card: Card, layout: CardLayout) -> Lines:
    """The lines of a card's sketch."""
    thumbnail = content.read(store_of(settings), pictures.thumbnail_name(card.sha256))
    grey = np.asarray(Image.open(io.BytesIO(thumbnail)).convert("L"), np.uint8)
    return lines_on_card(grey, layout)
