"""Deck matching: recognising a card's symbol by template matching, without decoding it.

Any two codes of a deck differ in at least 18 of the symbol's 26 codewords (the minimum distance of
its Reed-Solomon code, ISO/IEC 18004:2015, table 9), so a symbol far too small or too blurred for a
decoder is still more similar to its own card than to any other. Each symbol is sampled at its pose.
Illumination, the modules common to all cards and small errors of the pose are regressed out, and
the residual is correlated with that of each card. A card is accepted if it is clearly ahead of the
second best, no other symbol on the table has been recognised as that card, and no card is more
similar in another quarter turn, in which a blurred symbol looks nearly the same.

How far ahead is enough was set above what foreign symbols reach: those of cards that are *not* in
the deck. With c the correlation of
the best card and d that of the second among those not yet placed, (c^2 - d^2) / (1 - c^2) says how
much more of the unexplained variance the best card explains, whatever the blur. The lead of 1,774
foreign symbols was 0.41 at most; of as many cards of the deck, 99 in 100 exceeded 0.6 if the blur
was 1.4 modules or less (`tests/bench/bench_clean_tables.py` prints how many foreign symbols are
accepted).
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from printables.cards.codes import MODULES, CardCode, encode, symbol
from printables.reading.deck.known_deck import KnownDeck
from printables.reading.symbols.alignment import BLURS, best_blur, gauss_newton_step, linear_model
from printables.reading.symbols.pose import Poses, sample
from printables.reading.symbols.symbol_model import SPAN, blur_weights, blurred_samples, grid

LEAST_LEAD, LEAST_LEAD_AMONG_OWN, LEAST_LEAD_IF_DOUBTFUL = 0.60, 0.45, 1.0
"""Least lead over the second best card (see above): usually; if nearly all symbols in the photo are
cards of the deck; and for poses that may not be on a symbol. The second is just above the greatest
lead of 1,774 foreign symbols."""
_DOUBTFUL = 0.75
"""Correlation with the common modules below which a pose may not be on a symbol: such poses had a
lead of at most 0.52, and cards of the deck with a lead below 0.9 had a correlation of at least
0.85."""
_BLURRED, _DOUBTFUL_IF_BLURRED = 1.4, 0.82
"""Blur, in modules, from which more than one of them runs into each other, and the correlation
above for such symbols. In 45 careless photos by a fourth simulator, one of them moved by three
pixels and overexposed, two cards were taken for others, with leads of .58 and .67 and correlations
of .80 and .78; of 6,217 cards read, 24 are not for this. At .85, nothing is read in a photo that
moved by five modules."""
LEAST_CORRELATION = 0.45
"""Least correlation with the best card. At .75 35 of 150 cards are missed in "motion", and 5 in
"careless" (300 cards); no scene tried differs at .1."""

_SURE_LEAD = 2.5
"""Lead from which a pose is not refined. Only saves time: no scene tried reads other cards at 1.25
or 5."""
_LEAST_FOREIGN = 0.65
"""Correlation with the common modules from which an unrecognised pose counts as a foreign symbol.
It matters only for `_NEARLY_ALL`; no scene tried differs at .33 or .82."""
_NEARLY_ALL = 0.8
"""Share of symbols that must be cards of the deck for `LEAST_LEAD_AMONG_OWN` to apply. No scene
tried differs at .2 or without."""
_REFINING_STEPS = 2
"""Gauss-Newton steps on the best card. Without them one more card of "careless" (300 cards) stays
unread."""
_SETTLED_BLURS = (1.0, 1.0, 0.7)
"""Blurs, in modules, with which the pose of a card that was recognised by a part of its symbol is
fitted to all of it. In 91 photos by a fifth simulator and of our own, 16 instead of 22 of 561 such
symbols are off by more than one module, 5 instead of 7 by more than two, and none is farther off
than before."""
_LEAST_SETTLED, _GAIN = 0.9, 0.05
"""Least correlation of all of a symbol with its card for such a pose, and least gain: fitted to a
symbol of which something covers a part, it goes astray. At .8 of the first one symbol less is off
by more than one module, but of 942 others of which paper covers an edge, made by somebody who
looked for this, three that were off by half a module are off by two to three."""
_REFINED_AT_ONCE = 128
"""Symbols refined together, which bounds the memory."""


@dataclass(frozen=True)
class Matches:
    """The result of deck matching for some poses.

    Attributes
    ----------
    cards : int array, shape (poses,)
        Index in the deck's codes; -1 if no card matches clearly.
    margin : float array, shape (poses,)
        Correlation of the best card minus that of the second best.
    maps : float array, shape (poses, 2, 3)
        The poses, refined on all modules of the cards found.
    """

    cards: NDArray[np.intp]
    margin: NDArray[np.float64]
    maps: NDArray[np.float64]


def match_deck(
    grey: NDArray[np.uint8],
    poses: Poses,
    deck: KnownDeck,
    read_codes: set[str] | None = None,
) -> Matches:
    """Recognise symbols among the cards of a deck.

    Parameters
    ----------
    grey : uint8 array, shape (height, width)
        The photo at the scale of the poses.
    poses : Poses
    deck : KnownDeck
    read_codes : set of str
        Codes that were already read elsewhere in the photo.

    Returns
    -------
    Matches
    """
    maps = poses.maps.copy()
    best = np.zeros(len(poses), int)
    correlation, second, turned = np.zeros((3, len(poses)))
    if not len(poses):
        return Matches(best, second, maps)
    symbols = with_decoys(deck)
    free = unread_symbols(deck, read_codes or set())
    chosen = best_blur(grey, maps, BLURS, np.inf)
    for choice in np.unique(chosen):
        (mine,) = np.nonzero(chosen == choice)
        shown = RankedDeck.of(deck, BLURS[choice])
        best[mine], correlation[mine], second[mine] = shown.rank(grey, maps[mine], free)
        unsure = mine[lead_of(correlation[mine], second[mine]) < _SURE_LEAD]
        likely = blurred_samples(symbols[best[unsure]], BLURS[choice])
        refined = refine_on_cards(grey, maps[unsure], likely)
        again, *figures = shown.rank(grey, refined, free)
        same = again == best[unsure]
        maps[unsure[same]] = refined[same]
        correlation[unsure[same]], second[unsure[same]] = (part[same] for part in figures)
        close = mine[lead_of(correlation[mine], second[mine]) < LEAST_LEAD_IF_DOUBTFUL]
        turned[close] = shown.best_turned(grey, Poses(maps[close], correlation[close]), free)
    able = (best < len(deck.codes)) & (correlation >= np.maximum(turned, LEAST_CORRELATION))
    lead = lead_of(correlation, second)
    clear = np.where(np.array(BLURS)[chosen] < _BLURRED, _DOUBTFUL, _DOUBTFUL_IF_BLURRED)
    able &= (poses.correlation >= clear) | (lead >= LEAST_LEAD_IF_DOUBTFUL)
    good = able & (lead >= LEAST_LEAD)
    foreign = ~good & (poses.correlation >= _LEAST_FOREIGN)
    if _nearly_all_own(deck, read_codes or set(), int(good.sum()), int(foreign.sum())):
        good = able & (lead >= LEAST_LEAD_AMONG_OWN)
    cards = one_to_one(np.where(good, best, -1), lead, deck, read_codes)
    return Matches(cards, correlation - second, maps)


def lead_of(best: NDArray[np.float64], second: NDArray[np.float64]) -> NDArray[np.float64]:
    """By how much more variance the best card explains than the second, relative to what the best
    leaves unexplained."""
    return np.asarray((best**2 - np.maximum(second, 0) ** 2) / np.maximum(1 - best**2, 1e-3))


def _nearly_all_own(deck: KnownDeck, read_codes: set[str], good: int, foreign: int) -> bool:
    """Whether nearly all symbols in the photo have been identified as cards of the deck."""
    own = sum(code in deck.places for code in read_codes) + good
    return own >= _NEARLY_ALL * (len(read_codes) + good + foreign)


def one_to_one(
    cards: NDArray[np.intp], lead: NDArray[np.float64], deck: KnownDeck, read_codes: set[str] | None
) -> NDArray[np.intp]:
    """Assign each card to one pose at most, those with the greatest lead first."""
    used = {deck.places[code] for code in read_codes or () if code in deck.places} | {-1}
    kept = np.full_like(cards, -1)
    for pose in np.argsort(-lead, kind="stable"):
        if cards[pose] not in used:
            kept[pose] = cards[pose]
            used.add(cards[pose])
    return kept


def unread_symbols(deck: KnownDeck, read_codes: set[str]) -> NDArray[np.bool_]:
    """Which of `with_decoys` may still be found: decoys, and cards with none of these codes."""
    unread = [code not in read_codes for code in deck.codes]
    return np.array([*unread, *[True] * len(_decoys())])


def with_decoys(deck: KnownDeck) -> NDArray[np.float32]:
    """The deck's symbols and some decoys, since a deck of one card has no second best."""
    return np.concatenate([deck.modules, _decoys()])


@lru_cache(maxsize=1)
def _decoys() -> NDArray[np.float32]:
    """Symbols of codes that are not printed, shape (64, 21, 21)."""
    codes = [CardCode(set_number=9999, card=99999 - 97 * n, deck=99, edition=9) for n in range(64)]
    return np.stack([symbol(encode(code)) for code in codes]).astype(np.float32)


@dataclass(frozen=True, eq=False)
class RankedDeck:
    """A deck's symbols as a photo shows them, with which poses are compared.

    Attributes
    ----------
    shared : float array, shape (samples, parameters)
        An orthonormal base of their common part.
    own : float array, shape (symbols, samples or 441)
        What is each symbol's own, of norm 1; in modules if there are `rows`.
    rows : float array, shape (SPAN, 21), optional
        Weight of each module in each sample along one axis. To compare modules takes an eighth of
        the time.
    """

    shared: NDArray[np.float32]
    own: NDArray[np.float32]
    rows: NDArray[np.float32] | None = None

    @classmethod
    @lru_cache(maxsize=2 * len(BLURS))
    def of(cls, deck: KnownDeck, blur: float) -> "RankedDeck":
        """A deck at one blur, in modules."""
        modules = with_decoys(deck)
        shared, _, norms = _shared_and_own(blurred_samples(modules, blur))
        away = (modules - modules.mean(0)).reshape(len(modules), -1)
        return cls(shared, away / norms, blur_weights(blur))

    @classmethod
    def of_samples(cls, shown: NDArray[np.float32]) -> "RankedDeck":
        """Symbols as they look, shape (symbols, samples)."""
        shared, own, norms = _shared_and_own(shown)
        return cls(shared, own / norms)

    def rank(
        self, grey: NDArray[np.uint8], maps: NDArray[np.float64], free: NDArray[np.bool_]
    ) -> tuple[NDArray[np.intp], NDArray[np.float64], NDArray[np.float64]]:
        """The best card of each pose, its correlation, and that of the second best unread card."""
        seen = sample(grey, maps, grid())
        seen -= (seen @ self.shared) @ self.shared.T
        seen /= np.maximum(np.linalg.norm(seen, axis=1, keepdims=True), 1e-6)
        if self.rows is not None:
            along = (seen.reshape(-1, SPAN) @ self.rows).reshape(-1, SPAN, MODULES)
            seen = (self.rows.T @ along).reshape(-1, MODULES * MODULES)
        alike = -(seen @ self.own.T)
        best = alike.argmax(1)
        first = np.take_along_axis(alike, best[:, None], 1)[:, 0].astype(float)
        alike[:, ~free] = -1.0
        np.put_along_axis(alike, best[:, None], -1.0, 1)
        return best, first, alike.max(1).astype(float)

    def best_turned(
        self, grey: NDArray[np.uint8], poses: Poses, free: NDArray[np.bool_]
    ) -> NDArray[np.float64]:
        """The correlation of the best card of each pose in any other quarter turn."""
        turned = self.rank(grey, poses.quarter_turns().maps, free)[1]
        return np.asarray(turned.reshape(3, len(poses)).max(0))


def _shared_and_own(
    shown: NDArray[np.float32],
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
    """Of symbols as they look, shape (symbols, samples): an orthonormal base of their common part,
    what is each symbol's own, and the norms of that."""
    mean = shown.mean(0)
    shared = np.linalg.qr(linear_model(mean).astype(float))[0].astype(np.float32)
    own = shown - mean
    own -= (own @ shared) @ shared.T
    return shared, own, np.maximum(np.linalg.norm(own, axis=1, keepdims=True), 1e-6)


def refine_on_cards(
    grey: NDArray[np.uint8], maps: NDArray[np.float64], shown: NDArray[np.float32]
) -> NDArray[np.float64]:
    """Fit each pose to all modules of its best card.

    Parameters
    ----------
    grey : uint8 array, shape (height, width)
    maps : float array, shape (poses, 2, 3)
    shown : float array, shape (poses, samples)
        That card as the photo shows it.

    Returns
    -------
    float array, shape (poses, 2, 3)
    """
    refined = maps.copy()
    for start in range(0, len(maps), _REFINED_AT_ONCE):
        part = slice(start, start + _REFINED_AT_ONCE)
        model = linear_model(shown[part])
        square = model.transpose(0, 2, 1) @ model + 1e-3 * np.eye(model.shape[-1], dtype="f4")
        for _ in range(_REFINING_STEPS):
            seen = sample(grey, refined[part], grid())
            terms = np.linalg.solve(square, model.transpose(0, 2, 1) @ seen[..., None])[..., 0]
            refined[part] = gauss_newton_step(refined[part], terms)
    return refined


def settled_on_cards(
    grey: NDArray[np.uint8], maps: NDArray[np.float64], modules: NDArray[np.float32]
) -> NDArray[np.float64]:
    """Fit poses that parts of symbols gave to all of each symbol, where that fits clearly better.

    Parameters
    ----------
    grey : uint8 array, shape (height, width)
    maps : float array, shape (poses, 2, 3)
    modules : float array, shape (poses, 21, 21)
        Of the cards that were recognised.

    Returns
    -------
    float array, shape (poses, 2, 3)
    """
    if not len(maps):
        return maps
    fitted = maps
    for blur in _SETTLED_BLURS:
        fitted = refine_on_cards(grey, fitted, blurred_samples(modules, blur))
    before, after = (_likeness(grey, some, modules) for some in (maps, fitted))
    better = after >= np.maximum(before + _GAIN, _LEAST_SETTLED)
    return np.where(better[:, None, None], fitted, maps)


def _likeness(
    grey: NDArray[np.uint8], maps: NDArray[np.float64], modules: NDArray[np.float32]
) -> NDArray[np.float64]:
    """Partial correlation of all of each symbol with its card given the illumination, at the blur
    at which it is greatest."""
    light = np.linalg.qr(linear_model(np.zeros(SPAN * SPAN, np.float32))[:, :3])[0]
    shown = np.stack([blurred_samples(modules, blur) for blur in BLURS])
    seen, shown = (part - (part @ light) @ light.T for part in (sample(grey, maps, grid()), shown))
    lengths = np.linalg.norm(seen, axis=-1) * np.linalg.norm(shown, axis=-1)
    return np.asarray((-(seen * shown).sum(-1) / np.maximum(lengths, 1e-6)).max(0), float)
