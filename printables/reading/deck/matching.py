"""Deck matching: telling which card a symbol is without decoding it.

Any two codes of a deck differ in at least 18 of the symbol's 26 codewords (the distance of its
Reed-Solomon code), so a symbol far too small or too blurred for a decoder is still more like its
own card than like any other. Each symbol is sampled where its pose says, freed of light, of what
all cards share and of small errors of its pose, and correlated with all cards at once. A card is
accepted if it is clearly ahead of the second best and nobody else on the table is that card.

How far ahead is enough is set above what cards that are *not* in the deck reach. A stranger is as
like a symbol of ours as any card is, yet unlike every card of the deck; so what is asked is the
lead over the second best card, plus half of what the correlation with the best card exceeds the
likeness to symbols in general. By the blur, strangers (9,400 looks at 2,357 photographed symbols
with decks of another letter, edition, set and number) reached -0.08, 0.06 and 0.16; nearly all
cards of the deck 0.5, 0.4 and 0.2 (`tests/bench/bench_reading.py` prints it anew).
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from printables.cards.codes import CardCode, encode, symbol
from printables.reading.deck.known_deck import KnownDeck
from printables.reading.symbols.pose import BLURS, Poses, best_blur, change_model, moved, sample
from printables.reading.symbols.symbol_model import grid, seen_through

LEAST_LEADS = (0.15, 0.18, 0.20)
LEAST_AMONG_OWN = (0.12, 0.14, 0.17)
LEAST_CORRELATION = 0.45

_SURE_MARGIN = 0.40
_SURELY_A_SYMBOL = 0.65
_NEARLY_ALL = 0.8
_REFINING_STEPS = 2
_REFINED_AT_ONCE = 128


@dataclass(frozen=True)
class Matches:
    """What deck matching made of poses.

    Attributes
    ----------
    cards : int array, shape (poses,)
        Place in the deck's codes; -1 where no card is clearly the one.
    margin : float array, shape (poses,)
        Correlation of the best card less that of the second.
    maps : float array, shape (poses, 2, 3)
        The poses, refined on the cards found.
    """

    cards: NDArray[np.intp]
    margin: NDArray[np.float64]
    maps: NDArray[np.float64]


def match_deck(
    grey: NDArray[np.uint8], poses: Poses, deck: KnownDeck, taken: set[str] | None = None
) -> Matches:
    """Recognise symbols among the cards of a deck.

    Parameters
    ----------
    grey : uint8 array, shape (height, width)
        The photo at the scale of the poses.
    poses : Poses
    deck : KnownDeck
    taken : set of str
        Codes that are already read elsewhere in the photo.

    Returns
    -------
    Matches
    """
    maps = poses.maps.copy()
    best, correlation, margin = (np.zeros(len(poses), kind) for kind in (int, float, float))
    if not len(poses):
        return Matches(best, margin, maps)
    symbols = _with_decoys(deck)
    chosen = best_blur(grey, maps, BLURS)
    for choice, blur in enumerate(BLURS):
        (mine,) = np.nonzero(chosen == choice)
        shown = _ShownDeck.of(deck, blur)
        best[mine], correlation[mine], margin[mine] = shown.rank(grey, maps[mine])
        unsure = mine[margin[mine] < _SURE_MARGIN]
        refined = _refine(grey, maps[unsure], symbols[best[unsure]], blur)
        again, *figures = shown.rank(grey, refined)
        same = again == best[unsure]
        maps[unsure[same]] = refined[same]
        correlation[unsure[same]], margin[unsure[same]] = (part[same] for part in figures)
    able = (best < len(deck.codes)) & (correlation >= LEAST_CORRELATION)
    lead = margin + (correlation - poses.likeness) / 2
    good = able & (lead >= np.array(LEAST_LEADS)[chosen])
    strangers = ~good & (poses.likeness >= _SURELY_A_SYMBOL)
    if _among_own(deck, taken or set(), int(good.sum()), int(strangers.sum())):
        good = able & (lead >= np.array(LEAST_AMONG_OWN)[chosen])
    return Matches(_one_to_one(np.where(good, best, -1), margin, deck, taken), margin, maps)


def _among_own(deck: KnownDeck, taken: set[str], good: int, strangers: int) -> bool:
    """Whether nearly all symbols in the photo are known to be cards of the deck."""
    own = sum(code in deck.places for code in taken) + good
    return own >= _NEARLY_ALL * (len(taken) + good + strangers)


def _one_to_one(
    cards: NDArray[np.intp], margin: NDArray[np.float64], deck: KnownDeck, taken: set[str] | None
) -> NDArray[np.intp]:
    used = {deck.places[code] for code in taken or () if code in deck.places} | {-1}
    kept = np.full_like(cards, -1)
    for pose in np.argsort(-margin, kind="stable"):
        if cards[pose] not in used:
            kept[pose] = cards[pose]
            used.add(cards[pose])
    return kept


def _with_decoys(deck: KnownDeck) -> NDArray[np.float32]:
    """The deck's symbols and some of no card: a deck of one needs a second to be ahead of."""
    return np.concatenate([deck.modules, _decoys()])


@lru_cache(maxsize=1)
def _decoys() -> NDArray[np.float32]:
    codes = [CardCode(set_number=9999, card=99999 - 97 * n, deck=99, edition=9) for n in range(64)]
    return np.stack([symbol(encode(code)) for code in codes]).astype(np.float32)


@dataclass(frozen=True, eq=False)
class _ShownDeck:
    """A deck's symbols through one blur: what they share, and each one's own part, of length 1."""

    shared: NDArray[np.float32]
    own: NDArray[np.float32]

    @classmethod
    @lru_cache(maxsize=2 * len(BLURS))
    def of(cls, deck: KnownDeck, blur: float) -> "_ShownDeck":
        shown = seen_through(_with_decoys(deck), blur)
        mean = shown.mean(0)
        shared = np.linalg.qr(change_model(mean).astype(float))[0].astype(np.float32)
        own = shown - mean
        own -= (own @ shared) @ shared.T
        return cls(shared, own / np.maximum(np.linalg.norm(own, axis=1, keepdims=True), 1e-6))

    def rank(
        self, grey: NDArray[np.uint8], maps: NDArray[np.float64]
    ) -> tuple[NDArray[np.intp], NDArray[np.float64], NDArray[np.float64]]:
        """The best card of each pose, its correlation, and its lead over the second."""
        seen = sample(grey, maps, grid())
        seen -= (seen @ self.shared) @ self.shared.T
        seen /= np.maximum(np.linalg.norm(seen, axis=1, keepdims=True), 1e-6)
        alike = -(seen @ self.own.T)
        second, first = np.partition(alike, -2, axis=1)[:, -2:].T.astype(float)
        return alike.argmax(1), first, first - second


def _refine(
    grey: NDArray[np.uint8],
    maps: NDArray[np.float64],
    symbols: NDArray[np.float32],
    blur: float,
) -> NDArray[np.float64]:
    """Fit each pose to all modules of the card that it seems to show."""
    refined = maps.copy()
    for start in range(0, len(maps), _REFINED_AT_ONCE):
        part = slice(start, start + _REFINED_AT_ONCE)
        model = change_model(seen_through(symbols[part], blur))
        square = model.transpose(0, 2, 1) @ model + 1e-3 * np.eye(model.shape[-1], dtype="f4")
        for _ in range(_REFINING_STEPS):
            seen = sample(grey, refined[part], grid())
            terms = np.linalg.solve(square, model.transpose(0, 2, 1) @ seen[..., None])[..., 0]
            refined[part] = moved(refined[part], terms[:, 4:] / np.minimum(terms[:, 3:4], -4.0))
    return refined
