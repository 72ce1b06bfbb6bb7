"""What was read in a photo, in words of the table that it shows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sqlalchemy.orm import Session

from study_app.models import Sitting
from study_app.sittings.photos.headers import place_headers
from study_app.sittings.recording import known_cards

if TYPE_CHECKING:
    from printables.reading.reader import PhotoReading, ReadSymbol


def on_table(session: Session, sitting: Sitting, seen: PhotoReading) -> dict[str, Any]:
    """Tell a photo's codes as cards of this table, header cards, and what does not belong.

    Parameters
    ----------
    session : database session
    sitting : Sitting
    seen : printables.reading.reader.PhotoReading

    Returns
    -------
    dict
        `cards`, each with its `stimulus`, `code`, `how`, `margin`, `corners` of the symbol and
        `outline` in pixels, `place_mm` on the table and `group`; `wrong`, each with the sentence
        `refused`, its `stimulus` or None and `corners`; `headers` as `place_headers` gives them;
        `unread` and `unread_mm`, outlines; `advice`, sentences; `findings`, codes with facts.
    """
    deck = known_cards.deck_of(session, sitting)
    read = [
        {
            "code": symbol.code,
            "how": symbol.how,
            "margin": symbol.margin,
            "corners": _rounded(symbol.corners),
            "outline": _rounded(outline),
            "place_mm": _rounded(place_mm),
            "group": symbol.group,
        }
        for symbol, outline, place_mm in _placed(seen)
    ]
    cards, wrong = _each_once(read, deck)
    return {
        "cards": cards,
        "wrong": wrong + _foreign(session, deck, seen),
        "headers": place_headers(read, cards),
        "unread": [_rounded(outline) for outline in seen.unread],
        "unread_mm": [_rounded(outline) for outline in seen.unread_mm],
        "advice": list(seen.advice),
        "findings": [finding.as_json() for finding in seen.findings],
    }


def _placed(seen: PhotoReading) -> Iterable[tuple[ReadSymbol, NDArray[Any], NDArray[Any]]]:
    if seen.plan is None:
        return []
    return zip(seen.symbols, seen.plan.in_photo(), seen.plan.outlines, strict=True)


def _each_once(
    read: Sequence[dict[str, Any]], deck: known_cards.TableDeck
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Each card of the table once; and what is said of every further one that shows the same."""
    ours = {deck.code(card): stimulus for card, stimulus in deck.stimuli.items()}
    once, wrong = {}, []
    for card in read:
        stimulus = ours.get(card["code"])
        if stimulus is None:
            continue
        if card["code"] in once:
            sentence = f"Card {stimulus.card} appears twice; one is a reprint: remove it."
            wrong.append(_wrong(sentence, stimulus.id, card["corners"]))
        else:
            once[card["code"]] = {"stimulus": stimulus.id, **card}
    return list(once.values()), wrong


def _foreign(
    session: Session, deck: known_cards.TableDeck, seen: PhotoReading
) -> list[dict[str, Any]]:
    """What is said of codes that are of no card of this table."""
    # A deck may have been printed anew since the photo was read by the earlier one.
    known = deck.known().places
    strange = [s for s in (*seen.symbols, *seen.foreign) if s.code not in known]
    verdicts = [(symbol, known_cards.verdict(session, deck, symbol.code)) for symbol in strange]
    return [
        _wrong(v["refused"], v["stimulus"], symbol.corners)
        for symbol, v in verdicts
        if "refused" in v
    ]


def _wrong(sentence: str, stimulus_id: int | None, corners: ArrayLike) -> dict[str, Any]:
    return {"refused": sentence, "stimulus": stimulus_id, "corners": _rounded(corners)}


def _rounded(points: ArrayLike) -> list[list[float]]:
    return np.round(np.asarray(points, float), 1).tolist()
