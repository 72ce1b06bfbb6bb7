"""How surely half-covered symbols are recognised: of cards of the deck, and of other cards.

    python -m tests.bench.bench_half_symbols --symbols 4000

Symbols are drawn with 1.5 to 4 pixels a module in any rotation, blurred, noisy and compressed. The
paper of another card with a sketch, text, another symbol or nothing on it covers them along a
straight edge in any direction; with `--crossed`, a strip of such paper or something dark or grey, 2
to 8 mm wide, lies across them instead, or covers all but such a strip. Half of them are cards of a
deck of 300; the others differ from these in the set, the card, the deck's letter or the edition, or
in all. A line says:

- right, wrong: symbols recognised as the right card, and as another one;
- lead of right: what 99 in 100 symbols exceed whose best card is the right one.

The last lines are symbols whose best card is a wrong one: how many were claimed, and the greatest
lead.
"""

import argparse
from itertools import pairwise

import cv2
import numpy as np

from printables.cards.codes import MODULES, CardCode, encode, symbol
from printables.reading.deck.known_deck import KnownDeck
from printables.reading.deck.matching import lead_of
from printables.reading.deck.placed_symbols import placed_by_finders, usual_turns
from printables.reading.deck.visible_part import (
    LEAST_CORRELATION,
    LEAST_LEAD,
    rank_placed,
    rank_visible,
)
from printables.reading.symbols.half_symbols import (
    BY_PAIRS,
    clear_finders,
    half_symbols,
    places_of_finders,
)
from printables.reading.symbols.pose import Poses

FINE = 8
SIDE = 60 * FINE
FLAT_PX, FLAT_SIDE = 2.0, 120
SHARES = (0.35, 0.45, 0.55, 0.65, 0.75, 0.9)
DECK = KnownDeck([encode(CardCode(12, card, 1, 1)) for card in range(1, 301)])


def another(rng):
    """The code of a card that is not in the deck."""
    card = int(rng.integers(1, 301))
    far = (rng.integers(1, most) for most in (9999, 99999, 99, 10))
    kinds = ((12, card, 2, 1), (13, card, 1, 1), (12, card, 1, 2), (12, card + 300, 1, 1), far)
    return encode(CardCode(*(int(part) for part in kinds[rng.integers(5)])))


def sheet(rng, kind):
    """The paper of the card on top."""
    paper = np.full((SIDE, SIDE), 255, np.uint8)
    if kind == "sketch":
        for _ in range(rng.integers(1, 5)):
            walk = np.cumsum(rng.normal(0, 6 * FINE, (8, 2)), 0) + rng.uniform(0.2, 0.8, 2) * SIDE
            cv2.polylines(paper, [walk.astype(np.int32)], False, 0, int(rng.integers(2, 7)))
    if kind == "text":
        for _ in range(4):
            corner = (rng.uniform([0, 0.2], [0.4, 0.9]) * SIDE).astype(int).tolist()
            size = rng.uniform(0.5, 1.3)
            cv2.putText(paper, f"Card {rng.integers(300)} deck", corner, 0, size, 0, 2)
    if kind == "symbol":
        drawn = _drawn(another(rng))
        row, column = rng.integers(4 * FINE, SIDE - 26 * FINE, 2)
        paper[row : row + len(drawn), column : column + len(drawn)] = drawn
        turn = cv2.getRotationMatrix2D((SIDE / 2, SIDE / 2), rng.normal(0, 10), 1)
        paper = cv2.warpAffine(paper, turn, (SIDE, SIDE), borderValue=255)
    return paper


def _drawn(code):
    return np.kron(np.where(symbol(code), 0, 255), np.ones((FINE, FINE))).astype(np.uint8)


def covered(code, share, rng, towards=None):
    """A card's symbol, of which another card leaves a share in sight, finely drawn.

    The other card lies in the direction `towards`, an angle, or in any.
    """
    card = np.full((SIDE, SIDE), 255.0)
    start = (SIDE - MODULES * FINE) // 2
    inside = slice(start, start + MODULES * FINE)
    card[inside, inside] = _drawn(code)
    top = sheet(rng, rng.choice(["sketch", "text", "symbol", "blank"]))
    angle = np.deg2rad(90 * rng.integers(4) + rng.normal(0, 12)) if towards is None else towards
    y, x = np.mgrid[:SIDE, :SIDE] - SIDE / 2
    along = x * np.cos(angle) + y * np.sin(angle)
    edge = np.quantile(along[inside, inside], share)
    shade = 1 - 0.35 * rng.random() * np.exp(-np.maximum(edge - along, 0) / (1.5 * FINE))
    seen = np.where(along <= edge, card * shade, top * rng.uniform(0.85, 1))
    light = 1 + (rng.uniform(-0.15, 0.15, 2) * np.stack([x, y], -1) / SIDE).sum(-1)
    return np.clip((20 + seen * 200 / 255) * light, 0, 255).astype(np.float32)


def crossed(code, rng, kind=None):
    """A card's symbol that something crosses, finely drawn, and the share in sight.

    What crosses it is of paper, or of a level of grey if `kind` is "grey".
    """
    card = np.full((SIDE, SIDE), 255.0)
    start = (SIDE - MODULES * FINE) // 2
    inside = slice(start, start + MODULES * FINE)
    card[inside, inside] = _drawn(code)
    kind = kind or rng.choice(["grey", "grey", "grey", "sketch", "text", "symbol", "blank"])
    grey = np.full((SIDE, SIDE), rng.uniform(0, 160))
    top = grey if kind == "grey" else sheet(rng, kind) * rng.uniform(0.85, 1)
    y, x = np.mgrid[:SIDE, :SIDE] - SIDE / 2
    covers = np.zeros((SIDE, SIDE), bool)
    for _ in range(rng.choice([1, 1, 2])):
        angle, off = rng.uniform(0, 2 * np.pi), rng.uniform(-0.5, 0.5) * MODULES * FINE
        along = np.abs(x * np.cos(angle) + y * np.sin(angle) - off)
        covers |= along < rng.uniform(1, 4) * MODULES * FINE / 20
    if rng.random() < 0.15:
        covers = along > rng.uniform(4, 8) * FINE
    light = 1 + (rng.uniform(-0.15, 0.15, 2) * np.stack([x, y], -1) / SIDE).sum(-1)
    seen = np.clip((20 + np.where(covers, top, card) * 200 / 255) * light, 0, 255)
    return seen.astype(np.float32), 1 - float(covers[inside, inside].mean())


def photographed(fine, module_px, rng):
    """The top view that a reader has of it, and the map from modules to its pixels."""
    turn, skew = rng.uniform(0, 2 * np.pi, 2)
    squeeze = rng.uniform(0.6, 1)
    lens = _rotation(skew) @ np.diag([1, squeeze]) @ _rotation(-skew)
    size = int(60 * module_px)
    large = _centred(4 * lens @ _rotation(turn) * module_px / FINE, SIDE, 4 * size)
    photo = cv2.warpAffine(fine, large[:2], (4 * size, 4 * size), borderValue=220)
    photo = cv2.resize(photo, (size, size), interpolation=cv2.INTER_AREA)
    photo = cv2.GaussianBlur(photo, (0, 0), rng.uniform(0.5, 0.9) + max(rng.normal(0, 0.3), 0))
    photo += rng.normal(0, rng.uniform(1, 7), photo.shape)
    kind = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(70, 95))]
    stored = cv2.imencode(".jpg", np.clip(photo, 0, 255).round().astype(np.uint8), kind)[1]
    photo = cv2.imdecode(stored, cv2.IMREAD_GRAYSCALE)
    flat = _centred(np.linalg.inv(lens) * FLAT_PX / module_px, size, FLAT_SIDE)
    grey = cv2.warpAffine(photo, flat[:2], (FLAT_SIDE, FLAT_SIDE), borderValue=220)
    right = _rotation(turn) * FLAT_PX
    middle = np.full(2, (FLAT_SIDE - 1) / 2)
    return grey, np.column_stack([right, middle - right @ np.full(2, MODULES / 2)])


def _rotation(angle):
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


def _centred(linear, before, after):
    """A map of pixels that keeps the picture's middle in the middle."""
    shift = np.full(2, (after - 1) / 2) - linear @ np.full(2, (before - 1) / 2)
    return np.vstack([np.column_stack([linear, shift]), [0, 0, 1]])


def recognised(grey, truth, rng):
    """The card with the greatest lead, its lead and correlation, and whether it is in its place."""
    everywhere = np.full(grey.shape, 255, np.uint8)
    finders = clear_finders(grey, FLAT_PX, places_of_finders(grey, FLAT_PX, everywhere))
    found = half_symbols(grey, FLAT_PX, finders, BY_PAIRS)
    ranked = [rank_visible(grey, FLAT_PX, found, DECK, set())]
    # another card lies nearly the same way, or in any
    turn = _rotation(rng.normal(0, 0.15) if rng.random() < 0.7 else rng.uniform(0, 2 * np.pi))
    beside = Poses(np.column_stack([turn @ truth[:, :2], truth[:, 2:]])[None], np.ones(1)).corners()
    usual = usual_turns(finders.peaks, beside)
    for placed in placed_by_finders(grey, FLAT_PX, finders, usual):
        ranked.append(rank_placed(grey, FLAT_PX, placed, DECK, set()))
    best = (-1, 0.0, 0.0, False)
    for cards, first, second, maps in ranked:
        for card, alike, lead, place in zip(
            cards, first, lead_of(first, second), maps, strict=True
        ):
            near = np.abs(place @ [10.5, 10.5, 1] - truth @ [10.5, 10.5, 1]).max() < 3 * FLAT_PX
            # a symbol that is most like one that is not printed is not claimed
            if lead > best[1] and card < len(DECK.codes):
                best = (int(card), float(lead), float(alike), bool(near))
    return best


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--symbols", type=int, default=1000)
    options.add_argument("--first", type=int, default=0, help="the first symbol's seed")
    options.add_argument("--crossed", action="store_true", help="by something on both sides")
    chosen = options.parse_args()
    rows = []
    for seed in range(chosen.first, chosen.first + chosen.symbols):
        rng = np.random.default_rng(seed)
        own, module_px = seed % 2 == 0, rng.choice([1.5, 2.0, 3.0, 4.0])
        share = rng.uniform(SHARES[0], SHARES[-1])
        code = DECK.codes[rng.integers(300)] if own else another(rng)
        if chosen.crossed:
            drawn, share = crossed(code, rng)
        else:
            drawn = covered(code, share, rng)
        card, lead, alike, near = recognised(*photographed(drawn, module_px, rng), rng)
        right = own and near and card >= 0 and DECK.codes[card] == code
        claimed = card >= 0 and lead >= LEAST_LEAD and alike >= LEAST_CORRELATION
        rows.append((own, module_px, share, right, claimed, lead))
    own, size, share, right, claimed, lead = (
        np.array(part, float) for part in zip(*rows, strict=True)
    )
    print(f"{'in sight':>12}{'px':>6}{'symbols':>9}{'right':>8}{'wrong':>7}{'lead of right':>15}")
    for low, high in pairwise(SHARES):
        for px in (1.5, 2.0, 3.0, 4.0):
            mine = (own > 0) & (share >= low) & (share < high) & (size == px)
            good = mine & (right > 0)
            least = np.quantile(lead[good], 0.01) if good.any() else np.nan
            print(
                f"{low:6.0%}-{high:4.0%}{px:7}{mine.sum():9.0f}"
                f"{(good & (claimed > 0)).sum() / max(mine.sum(), 1):8.1%}"
                f"{(mine & (right == 0) & (claimed > 0)).sum():7.0f}{least:15.2f}"
            )
    wrong, foreign = (own > 0) & (right == 0), own == 0
    for name, kind in (("wrong card of the deck", wrong), ("card of another deck", foreign)):
        claims = (kind & (claimed > 0)).sum()
        print(
            f"{name}: {kind.sum():.0f}, claimed {claims:.0f}, greatest lead {lead[kind].max():.2f}"
        )


if __name__ == "__main__":
    main()
