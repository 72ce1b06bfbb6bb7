"""What else lies on a table beside the cards: drawn in grey, at its real size."""

from dataclasses import replace

import cv2
import numpy as np

from printables.scenes.card_on_table import CardOnTable
from printables.scenes.layout import Arrangement, arrange_groups
from printables.tabletop.outlines import outline_distances
from tests.bench.scenes import lay, take

PX_PER_MM = 4
_TRIES = 40


def sheet(rng):
    """An A4 sheet with lines of words, as instructions are."""
    face = np.full((297 * PX_PER_MM, 210 * PX_PER_MM), 247, np.uint8)
    for top in range(25, 270, 7):
        left = 20.0
        while left < 180 and rng.random() > 0.04:
            word = rng.uniform(4, 16)
            _fill(face, left, top, min(word, 190 - left), 2.4, 60)
            left += word + 2
    return face, None


def empty_sheet(_rng):
    return np.full((210 * PX_PER_MM, 148 * PX_PER_MM), 250, np.uint8), None


def visiting_card(rng):
    face = np.full((55 * PX_PER_MM, 85 * PX_PER_MM), 244, np.uint8)
    for top in (12, 22, 30, 36):
        _fill(face, 10, top, rng.uniform(20, 60), 3, 50)
    return face, None


def sticky_note(_rng):
    return np.full((76 * PX_PER_MM, 76 * PX_PER_MM), 205, np.uint8), None


def phone(_rng):
    """A dark phone whose screen shows rows of round signs."""
    face = np.full((147 * PX_PER_MM, 72 * PX_PER_MM), 22, np.uint8)
    _fill(face, 4, 6, 64, 135, 70)
    for top in range(18, 125, 20):
        for left in range(8, 60, 15):
            _fill(face, left, top, 10, 10, 190)
    return face, None


def keyboard(_rng):
    face = np.full((120 * PX_PER_MM, 280 * PX_PER_MM), 170, np.uint8)
    for row in range(6):
        for column in range(14):
            _fill(face, 6 + 19 * column, 6 + 18.5 * row, 16, 15.5, 35)
            _fill(face, 12 + 19 * column, 11 + 18.5 * row, 3, 4, 220)
    return face, None


def crossword(rng):
    """A newspaper's puzzle: black and white squares of three millimetres, 21 a side, as a trap."""
    face = np.full((80 * PX_PER_MM, 80 * PX_PER_MM), 235, np.uint8)
    for row, column in np.argwhere(rng.random((21, 21)) < 0.45):
        _fill(face, 8 + 3 * column, 8 + 3 * row, 3, 3, 30)
    return face, None


def pen(_rng):
    return np.full((10 * PX_PER_MM, 140 * PX_PER_MM), 45, np.uint8), None


def cup(_rng):
    """A cup seen from above: white rim, dark coffee."""
    face, cut = (np.zeros((90 * PX_PER_MM,) * 2, np.uint8) for _ in range(2))
    middle = (45 * PX_PER_MM,) * 2
    cv2.circle(cut, middle, 43 * PX_PER_MM, 255, -1, cv2.LINE_AA)
    face[:] = 240
    cv2.circle(face, middle, 38 * PX_PER_MM, 45, -1, cv2.LINE_AA)
    return face, cut


def hand(rng):
    """A hand with its arm, pointing."""
    face = np.full((420 * PX_PER_MM, 120 * PX_PER_MM), 165, np.uint8)
    cut = np.zeros_like(face)
    _fill(cut, 22, 130, 70, 290, 255)
    cv2.ellipse(cut, (58 * PX_PER_MM, 120 * PX_PER_MM), (168, 200), 0, 0, 360, 255, -1)
    for left, top in ((24, 45), (44, 20), (64, 12), (82, 30)):
        _fill(cut, left, top, 16, 90, 255)
    _fill(cut, 4, 95, 22, 20, 255)
    shade = cv2.resize(rng.normal(0, 10, (14, 4)).astype("f4"), face.shape[::-1])
    return np.clip(face + shade, 0, 255).astype(np.uint8), cut


BESIDE = (sheet, empty_sheet, visiting_card, sticky_note, phone, keyboard, crossword, pen, cup)
"""What never lies on a card."""


def strewn(cards, rng, reach_mm=160.0):
    """Every kind once where no card lies, within reach of the cards."""
    taken = [card.outline() for card in cards]
    low, high = np.min(taken, (0, 1)) - reach_mm, np.max(taken, (0, 1)) + reach_mm
    laid = []
    for draw in BESIDE:
        face, cut = draw(rng)
        size = face.shape[1] / PX_PER_MM, face.shape[0] / PX_PER_MM
        for _ in range(_TRIES):
            thing = CardOnTable(face, *size, *rng.uniform(low, high), rng.uniform(0, 360), cut)
            if _least_distance(thing.outline(), np.array(taken)) > 8:
                laid.append(thing)
                taken.append(thing.outline())
                break
    return laid


def reaching_hand(cards, rng):
    """A hand whose fingers lie on one of the cards; it comes from outside."""
    face, cut = hand(rng)
    size = face.shape[1] / PX_PER_MM, face.shape[0] / PX_PER_MM
    outlines = np.array([card.outline() for card in cards])
    middle = outlines.mean((0, 1))
    touched = outlines[rng.integers(len(cards))].mean(0)
    away = touched - middle
    turn = np.degrees(np.arctan2(away[0], -away[1])) + 180
    palm = touched + away / max(np.linalg.norm(away), 1e-9) * (size[1] / 2 - 40)
    return CardOnTable(face, *size, *palm, turn, cut)


def spoil(laid, count, rng):
    """Turn a card over, lay a coin on a code, scribble over a code, by turns; codes and coins."""
    coins, spoilt = [], []
    for number, place in enumerate(rng.choice(len(laid.cards), count, replace=False)):
        card, box = laid.cards[place], laid.layout.symbol
        spoilt.append(laid.codes[place])
        if number % 3 == 0:
            laid.cards[place] = replace(card, face=np.full_like(card.face, 248))
        elif number % 3 == 1:
            middle = card.to_table(np.array([[box.x, box.y]]) + box.width / 2)[0]
            coins.append(CardOnTable(np.full((40, 40), 120, np.uint8), 14, 14, *middle))
        else:
            laid.cards[place] = replace(card, face=_scribbled(card, box, rng))
    return spoilt, coins


def cluttered(printed, sizes, camera, seed, ground="wood"):
    """Groups amid clutter, six cards spoilt, a hand over some; the scene and the spoilt codes."""
    rng = np.random.default_rng(seed)
    card_mm = (printed.deck.layout.width_mm, printed.deck.layout.height_mm)
    laid = lay(printed, arrange_groups(sizes, card_mm, rng, Arrangement()), rng)
    spoilt, coins = spoil(laid, 6, rng)
    fingers = reaching_hand(laid.cards, rng)
    things = [*strewn([*laid.cards, fingers], rng), *coins, fingers]
    covered = outline_distances(np.stack([card.outline() for card in (fingers, *laid.cards)]), 0)
    hidden = {laid.codes[card - 1] for first, card in zip(*covered[:2], strict=True) if not first}
    return take(laid, camera, rng, ground, things), [code for code in spoilt if code not in hidden]


def _scribbled(card, box, rng):
    face = card.face.copy()
    px = face.shape[1] / card.width_mm
    low = np.array([box.x, box.y]) * px
    for _ in range(9):
        ends = (low + rng.uniform(0, box.width * px, (2, 2))).astype(int).tolist()
        cv2.line(face, ends[0], ends[1], 20, round(px * 2.5))
    return face


def _least_distance(outline, others):
    both = np.concatenate([outline[None], others])
    first, _, distances = outline_distances(both)
    return distances[first == 0].min(initial=np.inf)


def _fill(face, left, top, width, height, grey):
    low = (round(left * PX_PER_MM), round(top * PX_PER_MM))
    high = (round((left + width) * PX_PER_MM), round((top + height) * PX_PER_MM))
    cv2.rectangle(face, low, high, grey, -1)


def coin(_rng):
    """A coin of 23 mm with a rim."""
    face, cut = (np.zeros((24 * PX_PER_MM,) * 2, np.uint8) for _ in range(2))
    middle = (12 * PX_PER_MM,) * 2
    cv2.circle(cut, middle, round(11.5 * PX_PER_MM), 255, -1, cv2.LINE_AA)
    face[:] = 150
    cv2.circle(face, middle, 10 * PX_PER_MM, 110, PX_PER_MM)
    return face, cut


TONES = {coin: (0.45, 0.75, 0.95), cup: (1.0, 1.0, 1.0), hand: (0.72, 0.9, 1.25)}


def things_over(cards, count, rng):
    """Pens, coins and cups that lie on cards."""
    kinds = rng.choice([0, 0, 1, 1, 2], count) if count else []
    return [_over(cards, (pen, coin, cup)[kind], rng) for kind in kinds]


def _over(cards, draw, rng):
    face, cut = draw(rng)
    under = cards[rng.integers(len(cards))]
    place = np.array([under.x_mm, under.y_mm]) + rng.uniform(-35, 35, 2)
    size = face.shape[1] / PX_PER_MM, face.shape[0] / PX_PER_MM
    tone = TONES.get(draw, tuple(rng.uniform(0.3, 2.5, 3)))
    return CardOnTable(_coloured(face, tone), *size, *place, rng.uniform(0, 360), cut)


def hand_over(cards, rng):
    """A hand in colour whose fingers lie on one of the cards."""
    grey = reaching_hand(cards, rng)
    return replace(grey, face=_coloured(grey.face, TONES[hand]))


def sleeve_over(cards, rng):
    """A sleeve that ends on or just beyond one of the cards, of any tone from dark to white."""
    at = cards[rng.integers(len(cards))].outline().mean(0) + rng.uniform(-20, 20, 2)
    wide, long = rng.uniform(80, 130), 400
    face = np.full((long * PX_PER_MM, round(wide) * PX_PER_MM), 180, np.uint8)
    folds = cv2.resize(rng.normal(0, 8, (30, 8)).astype("f4"), face.shape[::-1])
    face = np.clip(face + folds, 0, 255).astype(np.uint8)
    face = _coloured(face, rng.uniform(0.15, 1.35) * rng.uniform(0.9, 1.1, 3))
    degrees = rng.uniform(0, 360)
    turn = np.deg2rad(degrees)
    down = np.array([-np.sin(turn), np.cos(turn)])
    middle = at + (long / 2 - rng.uniform(20, 90)) * down
    return CardOnTable(face, face.shape[1] / PX_PER_MM, long, *middle, degrees)


def sheet_over(cards, rng):
    """A sheet of text whose middle is near one of the cards."""
    return _lying_over(cards, sheet, rng)


def empty_sheet_over(cards, rng):
    """An empty sheet, in the same way."""
    return _lying_over(cards, empty_sheet, rng)


def cup_over(cards, rng):
    """A cup, in the same way."""
    return _lying_over(cards, cup, rng)


def cup_beside(cards, rng):
    """A cup that stands up to 20 mm from a card and on none."""
    face, cut = cup(rng)
    size, outlines = face.shape[0] / PX_PER_MM, np.array([card.outline() for card in cards])
    for _ in range(100 * _TRIES):
        near = cards[rng.integers(len(cards))]
        place = np.array([near.x_mm, near.y_mm]) + rng.uniform(-120, 120, 2)
        beside = CardOnTable(_coloured(face, TONES[cup]), size, size, *place, 0.0, cut)
        if 3 < _least_distance(beside.outline(), outlines) < 20:
            return beside
    raise ValueError("no room for a cup beside these cards")


def phone_over(cards, rng):
    """A phone, in the same way."""
    return _lying_over(cards, phone, rng)


def _lying_over(cards, draw, rng):
    face, cut = draw(rng)
    under = cards[rng.integers(len(cards))]
    size = face.shape[1] / PX_PER_MM, face.shape[0] / PX_PER_MM
    place = np.array([under.x_mm, under.y_mm]) + rng.uniform(-0.5, 0.5, 2) * size
    return CardOnTable(_coloured(face, (1, 1, 1)), *size, *place, rng.uniform(0, 360), cut)


def _coloured(face, tone):
    return np.clip(face[..., None] * np.array(tone), 0, 255).astype(np.uint8)
