"""What was read in a photo, in words of the table that it shows."""

import numpy as np

from study_app.table import known_cards
from study_app.table.headers import place_headers


def on_table(session, sitting, seen):
    """Tell a photo's codes as cards of this table, header cards, and what does not belong.

    Parameters
    ----------
    session : database session
    sitting : Sitting
    seen : printables.reader.PhotoReading

    Returns
    -------
    dict
        `cards`, each with its `stimulus`, `code`, `how`, `margin`, `corners` of the symbol and
        `outline` in pixels, `place_mm` on the table and `group`; `wrong`, each with the sentence
        `refused`, its `stimulus` or None and `corners`; `headers` as `place_headers` gives them;
        `unread`, outlines; `advice`, sentences.
    """
    deck = known_cards.deck_of(session, sitting)
    ours = {deck.code(card): stimulus for card, stimulus in deck.stimuli.items()}
    read, foreign = _cards(seen, ours)
    cards, wrong = _each_once(read)
    verdicts = [(s, known_cards.verdict(session, deck, s.code)) for s in foreign]
    wrong += [_wrong(v["refused"], v["stimulus"], s.corners) for s, v in verdicts if "refused" in v]
    headers = [(v["header"], s) for s, v in verdicts if "header" in v]
    return {
        "cards": cards,
        "wrong": wrong,
        "headers": place_headers(headers, seen, deck.layout, cards),
        "unread": [_rounded(outline) for outline in seen.unread],
        "advice": list(seen.advice),
    }


def _cards(seen, ours):
    """The cards of this table; and the rest, a card among it whose deck was reprinted meanwhile."""
    outlines = zip(seen.plan.in_photo(), seen.plan.outlines, strict=True) if seen.plan else []
    cards, foreign = [], list(seen.foreign)
    for symbol, (outline, place_mm) in zip(seen.symbols, outlines, strict=True):
        if symbol.code not in ours:
            foreign.append(symbol)
            continue
        cards.append(
            {
                "stimulus": ours[symbol.code].id,
                "card": ours[symbol.code].card,
                "code": symbol.code,
                "how": symbol.how,
                "margin": symbol.margin,
                "corners": _rounded(symbol.corners),
                "outline": _rounded(outline),
                "place_mm": _rounded(place_mm),
                "group": symbol.group,
            }
        )
    return cards, foreign


def _each_once(read):
    """Each card once; and what is said of every further one that shows the same."""
    once, wrong = {}, []
    for card in read:
        if card["stimulus"] in once:
            sentence = f"Card {card['card']} lies here twice; one is a reprint: take it away."
            wrong.append(_wrong(sentence, card["stimulus"], card["corners"]))
        once.setdefault(card["stimulus"], card)
    return list(once.values()), wrong


def _wrong(sentence, stimulus_id, corners):
    return {"refused": sentence, "stimulus": stimulus_id, "corners": _rounded(corners)}


def _rounded(points):
    return np.round(np.asarray(points, float), 1).tolist()
