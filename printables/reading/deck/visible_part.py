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
    best_parts,
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
_AT_ONCE = 48
"""Parts that are compared together, which bounds the memory."""
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
    (unread,) = np.nonzero(unread_symbols(deck, read_codes))
    able = _Cards(deck, unread)
    place = np.repeat(np.arange(len(maps)), [len(parts) for parts in starts])
    parts = np.array([part for parts in starts for part in parts], bool).reshape(
        len(place), len(used())
    )
    cards, found = np.zeros(len(place), np.intp), maps[place]
    best, second = np.zeros((2, len(place)))
    for start in range(0, len(place), _AT_ONCE):
        some = slice(start, start + _AT_ONCE)
        seen = _Halves(grey, module_px, found[some], parts[some])
        cards[some], best[some], second[some] = seen.matched(able)
        found[some] = seen.at
    lead = lead_of(best, second)
    # symbols without a part are none
    order = np.lexsort((np.arange(len(place)), -np.minimum(lead, LEAST_LEAD), place))
    chosen = order[np.unique(place[order], return_index=True)[1]]
    return unread[cards[chosen]], best[chosen], second[chosen], found[chosen]


class _Cards:
    """The cards of a deck that may be found, and their symbols as they look at each blur."""

    def __init__(self, deck: KnownDeck, places: NDArray[np.intp]) -> None:
        self.modules = with_decoys(deck)[places]
        self._deck, self._places = deck, places
        self._shown: dict[int, _ShownDeck] = {}

    def shown(self, blur: int) -> "_ShownDeck":
        """The symbols at one of `BLURS`."""
        if blur not in self._shown:
            self._shown[blur] = _ShownDeck.of(self._deck, BLURS[blur]).of_some(self._places)
        return self._shown[blur]

    def alike(self, seen: Samples, parts: Part, blurs: NDArray[np.intp]) -> Samples:
        """Correlations with symbols, of which some parts are in sight, shape (symbols, cards)."""
        found = np.zeros((len(seen), len(self.modules)), np.float32)
        for blur in np.unique(blurs).tolist():
            mine = blurs == blur
            found[mine] = self.shown(blur).ranked(seen[mine], parts[mine])
        return found


@dataclass
class _Halves:
    """Symbols of which parts are in sight, with their present poses."""

    grey: Picture
    module_px: float
    at: NDArray[np.float64]
    parts: Part

    def matched(
        self, cards: _Cards
    ) -> tuple[NDArray[np.intp], NDArray[np.float64], NDArray[np.float64]]:
        """The best card of each, its correlation in the part that is in sight, and that of the
        second best."""
        on = np.arange(len(self.at))
        common = self.parts & common_samples()[used()]
        models = np.stack([_common_model(blur) for blur in BLURS])
        self._refine(on, _common_model(_FIRST_BLUR)[None], common)
        blurs = self._blurs(models, common)
        self._refine(on, models[blurs], common)
        alike = cards.alike(self.sampled(on), self.parts, blurs)
        card = alike.argmax(1)
        drawn = np.stack(
            [blurred_samples(cards.modules[n], BLURS[b]) for n, b in zip(card, blurs, strict=True)]
        )
        models = linear_model(drawn)[:, used()]
        for step in range(_ROUNDS + 1):
            self._refine(on, models[on], self.parts[on])
            seen = self.sampled(on)
            if step < _ROUNDS:
                self.parts[on] = _in_sight(seen, models[on, :, :4], self.parts[on])
            alike[on] = cards.alike(seen, self.parts[on], blurs[on])
            best, second = _best_two(alike, card)
            on = on[lead_of(best, second)[on] >= _HOPELESS]
            if not len(on):
                break
        return card, best, second

    def sampled(self, on: NDArray[np.intp]) -> Samples:
        """Grey levels of some of the symbols."""
        return sample(self.grey, self.at[on], points())

    def _blurs(self, models: Samples, common: Part) -> NDArray[np.intp]:
        """The blur, as an index, with which the common modules of each correlate best."""
        inside = common[..., None].astype(np.float32)
        # the illumination does not depend on the blur
        light = np.linalg.qr(models[0][:, :3] * inside)[0]
        patterns = models[..., 3].T * inside
        patterns -= light @ (light.transpose(0, 2, 1) @ patterns)
        seen = self.sampled(np.arange(len(common)))[..., None] * inside
        alike = -(seen * patterns).sum(1) / np.linalg.norm(patterns, axis=1)
        return np.asarray(alike.argmax(1))

    def _refine(self, on: NDArray[np.intp], models: Samples, parts: Part) -> None:
        """Fit poses to parts; a symbol on a table is not stretched by more than it may bend."""
        count = parts.sum(1)[:, None]
        middle = parts @ points() / count
        inside = (models * parts[..., None]).transpose(0, 2, 1)
        square = inside @ models + count[..., None] * rigidity()
        at = self.at[on]
        for _ in range(_STEPS):
            seen = sample(self.grey, at, points())
            at = gauss_newton_step(at, np.linalg.solve(square, inside @ seen[..., None])[..., 0])
        turn, sizes, other = np.linalg.svd(at[:, :, :2])
        sizes = np.clip(sizes, self.module_px / _STRETCH, self.module_px * _STRETCH)
        rigid = turn * sizes[:, None] @ other
        fixed = at[:, :, :2] @ middle[..., None] + at[:, :, 2:]
        self.at[on] = np.concatenate([rigid, fixed - rigid @ middle[..., None]], 2)


def _best_two(
    alike: Samples, card: NDArray[np.intp]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The correlation of each symbol's card, and the greatest of all other cards."""
    others = alike.astype(float)
    best = np.take_along_axis(others, card[:, None], 1)[:, 0]
    np.put_along_axis(others, card[:, None], -np.inf, 1)
    return best, others.max(1)


def _in_sight(seen: Samples, models: Samples, parts: Part) -> Part:
    """The parts in which the picture is as the cards' light and samples say, shape (symbols,
    samples, 4)."""
    inside = (models * parts[..., None]).transpose(0, 2, 1).astype(float)
    square = inside @ models + 1e-6 * np.eye(4)
    terms = np.linalg.solve(square, inside @ seen[..., None])
    errors = np.abs(seen[..., None] - models @ terms)[..., 0] / np.maximum(-terms[:, 3], FAINTEST)
    return best_parts(gains_of(errors, parts))


def _orthonormal(columns: Samples) -> Samples:
    """Orthonormal bases of columns, shape (symbols, samples, columns)."""
    # from the square, which takes a fifth of the time of a QR decomposition
    square = columns.transpose(0, 2, 1).astype(float) @ columns
    size = 1e-9 * np.trace(square, axis1=1, axis2=2)[:, None, None] * np.eye(square.shape[1])
    root = np.linalg.inv(np.linalg.cholesky(square + size))
    return columns @ root.transpose(0, 2, 1).astype(np.float32)


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
        """A deck's symbols at a blur, in modules."""
        shown = blurred_samples(with_decoys(deck), blur)
        mean = shown.mean(0)
        own = np.ascontiguousarray((shown - mean)[:, used()])
        return cls(linear_model(mean)[used()], own, own**2)

    def of_some(self, cards: NDArray[np.intp]) -> "_ShownDeck":
        """Only some of the cards."""
        return _ShownDeck(self.model, self.own[cards], self.squares[cards])

    def ranked(self, seen: Samples, parts: Part) -> Samples:
        """Correlations of symbols with all cards in the parts in sight, shape (symbols, cards)."""
        inside = parts.astype(np.float32)
        shared = _orthonormal(self.model * inside[..., None])
        left = (seen * inside)[..., None]
        left -= shared @ (shared.transpose(0, 2, 1) @ left)
        common = self.own @ np.concatenate([shared, left], 2)
        squares = inside @ self.squares.T - (common[..., :-1] ** 2).sum(2)
        norms = np.sqrt(np.maximum(squares, 1e-6))
        norms *= np.maximum(np.linalg.norm(left, axis=1), 1e-6)
        return np.asarray(-common[..., -1] / norms, np.float32)
