"""The reading of a photo, in terms of the table that it shows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sqlalchemy.orm import Session

from study_app.sittings.photos.headers import place_headers
from study_app.sittings.recording import known_cards
from study_app.sittings.recording.cards import Card
from study_app.sittings.recording.wrong_cards import WrongCard

if TYPE_CHECKING:
    from printables.reading.detections import ReadSymbol
    from printables.reading.reader import PhotoReading


def on_table(session: Session, deck: known_cards.TableDeck, seen: PhotoReading) -> dict[str, Any]:
    """Sort a photo's codes into cards of this table, header cards, and cards that do not belong.

    Parameters
    ----------
    session : database session
    deck : TableDeck
    seen : printables.reading.reader.PhotoReading

    Returns
    -------
    dict
        `cards`, each with its `stimulus`, `code`, `how`, `margin`, `corners` of the symbol and
        `outline` in pixels, `place_mm` on the table and `group`; `wrong`, each with the
        `code` and `facts` of a `WrongCard`, its `stimulus` or None and `corners`, and of a
        duplicate also `place_mm` and `group`; `headers` as `place_headers` gives them; `unread` and
        `unread_mm`, outlines; `foreign_mm`, outlines of cards of other decks on the table; `hidden`
        and `hiding`, outlines in pixels of all places where a card may be hidden, and of those that
        may hide a whole card; `findings`, codes with facts.
    """
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
        "foreign_mm": [_rounded(outline) for outline in seen.foreign_mm],
        "hidden": [_rounded(outline) for outline in seen.hidden[0]],
        "hiding": [_rounded(outline) for outline in seen.hidden[1]],
        "findings": [finding.as_json() for finding in seen.findings],
    }


def _placed(seen: PhotoReading) -> Iterable[tuple[ReadSymbol, NDArray[Any], NDArray[Any]]]:
    if seen.plan is None:
        return []
    return zip(seen.symbols, seen.plan.in_photo(), seen.plan.outlines, strict=True)


def _each_once(
    read: Sequence[dict[str, Any]], deck: known_cards.TableDeck
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Each card of the table once, and a finding for every duplicate."""
    stimulus_of = {deck.code(card): stimulus for card, stimulus in deck.stimuli.items()}
    once: dict[str, dict[str, Any]] = {}
    wrong = []
    for card in read:
        stimulus = stimulus_of.get(card["code"])
        if stimulus is None:
            continue
        if card["code"] in once:
            again = _wrong(_again(stimulus, once[card["code"]], card), card["corners"])
            wrong.append({**again, "place_mm": card["place_mm"], "group": card["group"]})
        else:
            once[card["code"]] = {"stimulus": stimulus.id, **card}
    return list(once.values()), wrong


def _again(stimulus: Card, first: Mapping[str, Any], second: Mapping[str, Any]) -> WrongCard:
    """The finding about a card that appears twice."""
    groups = sorted({first["group"], second["group"]})
    if len(groups) == 1:
        return WrongCard("twice", {"card": stimulus.card}, stimulus)
    facts = {"card": stimulus.card, "first": groups[0], "second": groups[1]}
    return WrongCard("twice_apart", facts, stimulus)


def _foreign(
    session: Session, deck: known_cards.TableDeck, seen: PhotoReading
) -> list[dict[str, Any]]:
    """Findings for codes that are not of this table's cards."""
    # The deck may have been reprinted since the photo was read.
    known = deck.known().places
    wrong_symbols = [s for s in (*seen.symbols, *seen.foreign) if s.code not in known]
    wrong = []
    for symbol in wrong_symbols:
        try:
            known_cards.identify(session, deck, symbol.code)
        except WrongCard as refusal:
            wrong.append(_wrong(refusal, symbol.corners))
    return wrong


def _wrong(refusal: WrongCard, corners: ArrayLike) -> dict[str, Any]:
    return {
        "code": refusal.code,
        "facts": refusal.facts,
        "stimulus": refusal.stimulus and refusal.stimulus.id,
        "corners": _rounded(corners),
    }


def _rounded(points: ArrayLike) -> list[list[float]]:
    return np.round(np.asarray(points, float), 1).tolist()
