"""Deck matching by the part of a symbol that is in sight.

Half of a symbol tells the cards of a deck apart, but what covers the other half must not be
compared. One or two straight edges are assumed to separate the two, usually those of another card
or of a pen. Starting from the part in which the symbol was found, the best card is determined, the
pose is fitted to all its modules in the part, and the part becomes that in which the picture is as
the card says. Only there the card must be clearly ahead of all others, as in `deck.matching`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from printables.cards.codes import MODULES
from printables.reading.deck.known_deck import KnownDeck
from printables.reading.deck.matching import (
    Matches,
    lead_of,
    one_to_one,
    unread_symbols,
    with_decoys,
)
from printables.reading.deck.part_in_sight import (
    Part,
    Samples,
    best_part,
    gains_of,
    parts_by_finder,
    points,
    used,
)
from printables.reading.deck.placed_symbols import PlacedSymbols
from printables.reading.symbols.alignment import BLURS, FAINTEST, gauss_newton_step, linear_model
from printables.reading.symbols.half_symbols import HalfSymbols, half_parts, rigidity
from printables.reading.symbols.pose import sample
from printables.reading.symbols.symbol_model import (
    blurred_samples,
    common_modules,
    common_samples,
)

LEAST_LEAD, LEAST_CORRELATION = 1.5, 0.5
"""Least lead over the second best card, and least correlation with the best one, in the part that
is in sight. The greatest lead of a wrong card was 1.07 in 18 photos read with two decks each that
hold none of the cards, of some 6,000 candidates each (.73 and .95 in later runs), and .90 in 15,000
drawn symbols, two thirds of them of other cards, that one or two edges cover
(`tests/bench/bench_half_symbols.py`). At 1.3, 295 instead of 288 symbols in 74 photos by a third
simulator are recognised, at 2.0, 265. The second was not varied in any measurement."""
_ROUNDS, _STEPS, _FIRST_BLUR = 2, 2, 1.0
"""How often the part is determined, Gauss-Newton steps before each time, and the blur that is
assumed first, in modules. Not varied in any measurement."""
_HOPELESS = 0.3
"""Least lead after one round for another. Only saves time: of 217 symbols recognised in 33 photos
by a third simulator, the least had .28, and nine in ten other candidates have less."""
_STRETCH = 1.06
"""Greatest factor by which a symbol may be larger or smaller than others on the table, as on a bent
card. Not varied in any measurement."""

Picture = NDArray[np.uint8]
Ranked = tuple[NDArray[np.intp], NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]


def match_visible(
    grey: Picture, module_px: float, found: HalfSymbols, deck: KnownDeck, read_codes: set[str]
) -> Matches:
    """Recognise symbols among the cards of a deck by the parts that are in sight.

    Parameters
    ----------
    grey : uint8 array, shape (height, width)
        A top view, in which symbols are neither stretched nor skewed.
    module_px : float
        Size of a module, pixels.
    found : HalfSymbols
    deck : KnownDeck
    read_codes : set of str
        Codes that were already read elsewhere in the photo.

    Returns
    -------
    Matches
    """
    return _matches(rank_visible(grey, module_px, found, deck, read_codes), deck, read_codes)


def match_placed(
    grey: Picture,
    module_px: float,
    placed: PlacedSymbols,
    deck: KnownDeck,
    read_codes: set[str],
    parts: int | None = None,
) -> Matches:
    """Recognise symbols that were placed on single finder patterns; as `match_visible`.

    How much is in sight beside the pattern is unknown, so some or all of `parts_by_finder` are
    tried.
    """
    ranked = rank_placed(grey, module_px, placed, deck, read_codes, parts)
    return _matches(ranked, deck, read_codes)


def rank_visible(
    grey: Picture, module_px: float, found: HalfSymbols, deck: KnownDeck, read_codes: set[str]
) -> Ranked:
    """Find the best card of each symbol by the part that is in sight; as `match_visible`.

    Returns
    -------
    cards : int array, shape (symbols,)
        Index in the deck's codes, or beyond them for symbols that are not printed.
    best, second : float arrays, shape (symbols,)
        Correlation of this card, and that of the best of the others that were not read.
    maps : float array, shape (symbols, 2, 3)
        From modules to pixels.
    """
    starts = [[half_parts()[part][used()]] for part in found.parts]
    return _ranked(grey, module_px, found.maps, starts, deck, read_codes)


def rank_placed(
    grey: Picture,
    module_px: float,
    placed: PlacedSymbols,
    deck: KnownDeck,
    read_codes: set[str],
    parts: int | None = None,
) -> Ranked:
    """Find the best card of each symbol placed on a finder pattern; as `match_placed`."""
    starts = [parts_by_finder(*pattern)[:parts] for pattern in placed.patterns.tolist()]
    return _ranked(grey, module_px, placed.maps, starts, deck, read_codes)


def _matches(ranked: Ranked, deck: KnownDeck, read_codes: set[str]) -> Matches:
    """The symbols whose best card is clearly ahead, each card once."""
    cards, best, second, maps = ranked
    lead = lead_of(best, second)
    able = (cards < len(deck.codes)) & (best >= LEAST_CORRELATION) & (lead >= LEAST_LEAD)
    cards = one_to_one(np.where(able, cards, -1), lead, deck, read_codes)
    return Matches(cards, best - second, maps)


def _ranked(
    grey: Picture,
    module_px: float,
    maps: NDArray[np.float64],
    starts: Sequence[Sequence[Part]],
    deck: KnownDeck,
    read_codes: set[str],
) -> Ranked:
    """The best card of each symbol, from the first part that may be in sight in which one leads
    clearly, or else from that in which it leads most."""
    free = unread_symbols(deck, read_codes)
    cards, found = np.zeros(len(maps), np.intp), maps.copy()
    best, second = np.zeros((2, len(maps)))
    for place, parts in enumerate(starts):
        most = -np.inf
        for part in parts:
            seen = _Half(grey, module_px, maps[place], part)
            card, alike = seen.matched(deck, free)
            lead = _lead(alike, card)
            if lead > most:
                most, cards[place], found[place] = lead, card, seen.at
                best[place], second[place] = alike[card], np.delete(alike, card).max()
            if lead >= LEAST_LEAD:
                break
    return cards, best, second, found


def _lead(alike: Samples, card: int) -> float:
    """The lead of a card over all others, given the correlations of all."""
    return float(lead_of(alike[card], np.delete(alike, card).max()))


@dataclass
class _Half:
    """A symbol of which a part is in sight, with its present pose."""

    grey: Picture
    module_px: float
    at: NDArray[np.float64]
    part: Part

    def matched(self, deck: KnownDeck, free: Part) -> tuple[int, Samples]:
        """The best card, and the correlations of all of them in the part that is in sight."""
        common = self.part & common_samples()[used()]
        self._refine(_common_model(_FIRST_BLUR), common)
        blur = self._blur(common)
        self._refine(_common_model(blur), common)
        shown = _ShownDeck.of(deck, blur)
        card = int(shown.ranked(self, free).argmax())
        drawn = blurred_samples(with_decoys(deck)[card], blur)
        model = linear_model(drawn)[used()]
        for _ in range(_ROUNDS):
            self._refine(model, self.part)
            self.part = self._in_sight(drawn[used()])
            alike = shown.ranked(self, free)
            if _lead(alike, card) < _HOPELESS:
                return card, alike
        self._refine(model, self.part)
        return card, shown.ranked(self, free)

    def sampled(self, part: Part) -> Samples:
        """Grey levels in a part."""
        return sample(self.grey, self.at[None], points()[part])[0]

    def _blur(self, common: Part) -> float:
        """The blur with which the common modules correlate best."""
        models = [_common_model(blur)[common] for blur in BLURS]
        # the illumination does not depend on the blur
        light = np.linalg.qr(models[0][:, :3])[0]
        patterns = [model[:, 3] - light @ (light.T @ model[:, 3]) for model in models]
        seen = self.sampled(common)
        seen -= light @ (light.T @ seen)
        alike = [-seen @ pattern / np.linalg.norm(pattern) for pattern in patterns]
        return BLURS[int(np.argmax(alike))]

    def _refine(self, model: Samples, part: Part) -> None:
        """Fit the pose to a part; a symbol on a table is not stretched by more than it may bend."""
        model, middle = model[part], points()[part].mean(0)
        square = model.T @ model + len(model) * rigidity()
        for _ in range(_STEPS):
            terms = np.linalg.solve(square, model.T @ self.sampled(part))
            self.at = gauss_newton_step(self.at[None], terms[None])[0]
        turn, sizes, other = np.linalg.svd(self.at[:, :2])
        sizes = np.clip(sizes, self.module_px / _STRETCH, self.module_px * _STRETCH)
        rigid = turn @ np.diag(sizes) @ other
        fixed = self.at @ np.append(middle, 1.0)
        self.at = np.column_stack([rigid, fixed - rigid @ middle])

    def _in_sight(self, dark: Samples) -> Part:
        """The part in which the picture is as a card's samples say."""
        model = np.column_stack([np.ones(len(dark)), points() / (MODULES / 2) - 1, dark])
        seen = self.sampled(np.ones(len(dark), bool))
        terms = np.linalg.lstsq(model[self.part], seen[self.part], rcond=None)[0]
        error = np.abs(seen - model @ terms) / max(-terms[3], FAINTEST)
        return best_part(gains_of(error, self.part))


@lru_cache(maxsize=len(BLURS))
def _common_model(blur: float) -> Samples:
    """The linear model of the modules common to all codes."""
    return linear_model(blurred_samples(common_modules(), blur))[used()]


@dataclass(frozen=True, eq=False)
class _ShownDeck:
    """A deck's symbols at one blur: the linear model of their mean, and what differs from it."""

    model: Samples
    own: Samples
    squares: Samples

    @classmethod
    @lru_cache(maxsize=len(BLURS))
    def of(cls, deck: KnownDeck, blur: float) -> "_ShownDeck":
        shown = blurred_samples(with_decoys(deck), blur)
        mean = shown.mean(0)
        own = np.ascontiguousarray((shown - mean)[:, used()])
        return cls(linear_model(mean)[used()], own, own**2)

    def ranked(self, half: _Half, free: Part) -> Samples:
        """Correlations of all cards with the part in sight; -1 for those read elsewhere."""
        inside = half.part.astype(np.float32)
        shared = np.linalg.qr(self.model * inside[:, None])[0]
        seen = half.sampled(np.ones(len(inside), bool)) * inside
        seen -= shared @ (shared.T @ seen)
        common = self.own @ np.column_stack([shared, seen])
        squares = self.squares @ inside - (common[:, :-1] ** 2).sum(1)
        norms = np.sqrt(np.maximum(squares, 1e-6)) * max(float(np.linalg.norm(seen)), 1e-6)
        return np.asarray(np.where(free, -common[:, -1] / norms, -1.0), np.float32)
