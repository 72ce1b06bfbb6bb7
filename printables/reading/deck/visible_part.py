"""Deck matching by the part of a symbol that is in sight.

Half of a symbol tells the cards of a deck apart, but what covers the other half must not be
compared. A straight edge, usually that of another card, is assumed to separate the two. Starting
from the part in which the symbol was found, the best card is determined, the pose is fitted to all
its modules in the part, and the part becomes the half-plane in which the picture is as the card
says. Only there the card must be clearly ahead of all others, as in `deck.matching`.
"""

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
from printables.reading.symbols.alignment import BLURS, FAINTEST, gauss_newton_step, linear_model
from printables.reading.symbols.half_symbols import HalfSymbols, half_parts, rigidity
from printables.reading.symbols.pose import sample
from printables.reading.symbols.symbol_model import (
    SPAN,
    blurred_samples,
    common_modules,
    common_samples,
    grid,
    inside_symbol,
)

LEAST_LEAD, LEAST_CORRELATION = 1.3, 0.5
"""Least lead over the second best card, and least correlation with the best one, in the part that
is in sight. In 20 photos read with decks that hold none of the cards, the greatest lead of 4,544
candidates was .68; of 2,000 drawn symbols, one half of them of other cards, the greatest lead of a
wrong card was .80. At 1.0, two more of 2,040 cards are read in 12 careless photos by another
simulator; at .6 no more than at 1.0. The second was not varied in any measurement."""
_DIRECTIONS, _LEAST_SHARE = 16, 0.35
"""Directions of edges that are tried, and least share of a symbol that is in sight. Not varied in
any measurement."""
_GAIN, _MOST_OFF, _USUAL, _LEAST_ERROR = 0.85, 3.0, 1.5, 0.08
"""What a sample within the part gains if the picture is exactly as the card says, and most that it
loses; the error by which it loses half a unit, in medians over the part, and the least such error,
as a share of the contrast. With a fixed error instead, the lead of eight more symbols in 12
careless photos by another simulator was below the limit, since the part extended over the card on
top."""
_ROUNDS, _STEPS, _FIRST_BLUR = 2, 2, 1.0
"""How often the part is determined, Gauss-Newton steps before each time, and the blur that is
assumed first, in modules. Not varied in any measurement."""
_STRETCH = 1.06
"""Greatest factor by which a symbol may be larger or smaller than others on the table, as on a bent
card. Not varied in any measurement."""

Picture = NDArray[np.uint8]
Samples = NDArray[np.float32]
Part = NDArray[np.bool_]


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
    cards, best, second, maps = rank_visible(grey, module_px, found, deck, read_codes)
    lead = lead_of(best, second)
    able = (cards < len(deck.codes)) & (best >= LEAST_CORRELATION) & (lead >= LEAST_LEAD)
    cards = one_to_one(np.where(able, cards, -1), lead, deck, read_codes)
    return Matches(cards, best - second, maps)


def rank_visible(
    grey: Picture, module_px: float, found: HalfSymbols, deck: KnownDeck, read_codes: set[str]
) -> tuple[NDArray[np.intp], NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
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
    free = unread_symbols(deck, read_codes)
    cards, maps = np.zeros(len(found), np.intp), found.maps.copy()
    best, second = np.zeros((2, len(found)))
    for place, (start, part) in enumerate(zip(found.maps, found.parts, strict=True)):
        seen = _Half(grey, module_px, start, half_parts()[part][_used()])
        card, alike = seen.matched(deck, free)
        cards[place], best[place], maps[place] = card, alike[card], seen.at
        second[place] = np.delete(alike, card).max()
    return cards, best, second, maps


@dataclass
class _Half:
    """A symbol of which a part is in sight, with its present pose."""

    grey: Picture
    module_px: float
    at: NDArray[np.float64]
    part: Part

    def matched(self, deck: KnownDeck, free: Part) -> tuple[int, Samples]:
        """The best card, and the correlations of all of them in the part that is in sight."""
        common = self.part & common_samples()[_used()]
        self._refine(_common_model(_FIRST_BLUR), common)
        blur = self._blur(common)
        self._refine(_common_model(blur), common)
        shown = _ShownDeck.of(deck, blur)
        card = int(shown.ranked(self, free).argmax())
        drawn = blurred_samples(with_decoys(deck)[card], blur)
        model = linear_model(drawn)[_used()]
        for _ in range(_ROUNDS):
            self._refine(model, self.part)
            self.part = self._in_sight(drawn[_used()])
        self._refine(model, self.part)
        return card, shown.ranked(self, free)

    def sampled(self, part: Part) -> Samples:
        """Grey levels in a part."""
        return sample(self.grey, self.at[None], _points()[part])[0]

    def _blur(self, common: Part) -> float:
        """The blur with which the common modules correlate best."""
        seen, alike = self.sampled(common), []
        for blur in BLURS:
            model = _common_model(blur)[common]
            light = np.linalg.qr(model[:, :3])[0]
            pattern = model[:, 3] - light @ (light.T @ model[:, 3])
            alike.append(-(seen - light @ (light.T @ seen)) @ pattern / np.linalg.norm(pattern))
        return BLURS[int(np.argmax(alike))]

    def _refine(self, model: Samples, part: Part) -> None:
        """Fit the pose to a part; a symbol on a table is not stretched by more than it may bend."""
        model, points = model[part], _points()[part]
        square = model.T @ model + len(model) * rigidity()
        for _ in range(_STEPS):
            terms = np.linalg.solve(square, model.T @ self.sampled(part))
            self.at = gauss_newton_step(self.at[None], terms[None])[0]
        turn, sizes, other = np.linalg.svd(self.at[:, :2])
        sizes = np.clip(sizes, self.module_px / _STRETCH, self.module_px * _STRETCH)
        rigid = turn @ np.diag(sizes) @ other
        middle = points.mean(0)
        fixed = self.at @ np.append(middle, 1.0)
        self.at = np.column_stack([rigid, fixed - rigid @ middle])

    def _in_sight(self, dark: Samples) -> Part:
        """The half-plane in which the picture is as a card's samples say."""
        points = _points()
        model = np.column_stack([np.ones(len(points)), points / (MODULES / 2) - 1, dark])
        seen = self.sampled(np.ones(len(points), bool))
        terms = np.linalg.lstsq(model[self.part], seen[self.part], rcond=None)[0]
        error = np.abs(seen - model @ terms) / max(-terms[3], FAINTEST)
        usual = max(_USUAL * float(np.median(error[self.part])), _LEAST_ERROR)
        gain = _GAIN - np.minimum((error / usual) ** 2 / 2, _MOST_OFF)
        return _half_planes()[int((_half_planes() @ gain.astype(np.float32)).argmax())] > 0


@lru_cache(maxsize=1)
def _used() -> NDArray[np.intp]:
    """Every second sample of `grid`, as on a chessboard."""
    row, column = np.divmod(np.arange(SPAN * SPAN), SPAN)
    return np.flatnonzero((row + column) % 2 == 0)


@lru_cache(maxsize=1)
def _points() -> Samples:
    """The samples' positions, in modules."""
    return grid()[_used()]


@lru_cache(maxsize=1)
def _half_planes() -> Samples:
    """Parts of a symbol beside a straight edge: 1 inside, 0 outside."""
    inside = inside_symbol()[_used()]
    turns = np.arange(_DIRECTIONS) * 2 * np.pi / _DIRECTIONS
    along = (_points() - MODULES / 2) @ np.stack([np.cos(turns), np.sin(turns)])
    edges = np.arange(-MODULES // 2, MODULES)
    parts = (along.T[:, None] <= edges[:, None]).reshape(-1, len(inside)) & inside
    return np.unique(parts[parts.mean(1) >= _LEAST_SHARE * inside.mean()], axis=0).astype("f4")


@lru_cache(maxsize=len(BLURS))
def _common_model(blur: float) -> Samples:
    """The linear model of the modules common to all codes."""
    return linear_model(blurred_samples(common_modules(), blur))[_used()]


@dataclass(frozen=True, eq=False)
class _ShownDeck:
    """A deck's symbols at one blur: the linear model of their mean, and what differs from it."""

    model: Samples
    own: Samples

    @classmethod
    @lru_cache(maxsize=len(BLURS))
    def of(cls, deck: KnownDeck, blur: float) -> "_ShownDeck":
        shown = blurred_samples(with_decoys(deck), blur)
        mean = shown.mean(0)
        return cls(linear_model(mean)[_used()], (shown - mean)[:, _used()])

    def ranked(self, half: _Half, free: Part) -> Samples:
        """Correlations of all cards with the part in sight; -1 for those read elsewhere."""
        shared = np.linalg.qr(self.model[half.part])[0]
        own, seen = self.own[:, half.part], half.sampled(half.part)
        seen -= shared @ (shared.T @ seen)
        squares = np.einsum("ij,ij->i", own, own) - ((own @ shared) ** 2).sum(1)
        norms = np.sqrt(np.maximum(squares, 1e-6)) * max(float(np.linalg.norm(seen)), 1e-6)
        return np.asarray(np.where(free, -(own @ seen) / norms, -1.0), np.float32)
