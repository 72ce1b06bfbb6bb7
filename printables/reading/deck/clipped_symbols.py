"""Deck matching in overexposed photos, where symbols lose their thin lines.

A photo overexposed by two stops shows as white whatever is lighter than a quarter of paper. The
blurred image of a dark line one module wide is: it vanishes, and larger dark areas shrink. So the
symbols of the deck are blurred, what is lighter than a threshold is made white, and the rest is
compared with the photo as in `deck.matching`.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from printables.cards.codes import MODULES
from printables.reading.deck.known_deck import KnownDeck
from printables.reading.deck.matching import (
    Matches,
    RankedDeck,
    lead_of,
    one_to_one,
    refine_on_cards,
    unread_symbols,
    with_decoys,
)
from printables.reading.symbols.pose import Poses
from printables.reading.symbols.symbol_model import BORDER, PER_MODULE, SPAN

_CLIPPINGS = ((0.5, 0.6, 0.5), (0.65, 0.45, 0.5), (0.8, 0.45, 0.5), (0.8, 0.45, 0.3))
"""Thresholds, as a share of the darkness of ink, and blurs in modules before it, by the lens, and
after it, by demosaicing and compression; those that resemble most symbols are used. Of 1,182 cards
in 11 photos, four by another simulator overexposed by two stops and seven of our own by 3 to 4,
1,160 are read with the first three; with the second alone 1,140, and without `match_clipped` 437.
In 10 photos overexposed by two stops, by a fourth simulator, the fourth reads 4 more of 575
codes."""
_FINE = 4
"""Points per module, along each axis, at which the threshold is applied. At 8, 1,158 cards are
read."""
_AT_ONCE = 128
"""Symbols drawn together. Bounds the memory: 2,400 cards take 84 MB, and 198 if drawn at once."""
_LEAST_CORRELATION, _LEAST_LEAD = 0.6, 0.7
"""Least correlation with the best card, and least lead over the second. At .3 of the first no other
card is read, at .75 25 fewer. Symbols that are not of the deck had a lead of .54 at most, in 11
overexposed or moved photos, each read with four other decks; of 280 cards of the deck, 7 had less
than .7."""
_DOUBTFUL = 0.5
"""Correlation with the common modules below which a pose may not be on a symbol. Of 1,487 cards
read in 27 overexposed photos by a fourth simulator, none is below, and 4 are below .55. One of 330
other cards was taken for a card of which only eight specks were left, with a lead of .89; its
correlation was .44."""
FEWEST = 3
"""Fewest cards recognised in an overexposed photo, if none is decoded: what three stops and more
leave of a symbol may be alike on two cards of different decks. Of 100 photos of 60 cards
overexposed by 3 to 4.5 stops, and read with a deck that holds none of them, 84 had the code of one
card without this, and of the first 40 none has."""


_Figures = NDArray[np.float64]
_Ranked = tuple[_Figures, NDArray[np.intp], _Figures, _Figures]


def match_clipped(
    grey: NDArray[np.uint8], poses: Poses, deck: KnownDeck, read_codes: set[str]
) -> Matches:
    """Recognise symbols that lost lines to overexposure among the cards of a deck.

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
    if not len(poses):
        return Matches(np.zeros(0, np.intp), np.zeros(0), poses.maps)
    free = unread_symbols(deck, read_codes)
    found = (_ranked(grey, poses.maps, deck, clipping, free) for clipping in _CLIPPINGS)
    maps, best, correlation, second = max(found, key=lambda one: float(np.quantile(one[2], 0.75)))
    lead = lead_of(correlation, second)
    good = (best < len(deck.codes)) & (poses.correlation >= _DOUBTFUL)
    good &= (lead >= _LEAST_LEAD) & (correlation >= _LEAST_CORRELATION)
    cards = one_to_one(np.where(good, best, -1), lead, deck, read_codes)
    return Matches(cards, correlation - second, maps)


def _ranked(
    grey: NDArray[np.uint8],
    maps: NDArray[np.float64],
    deck: KnownDeck,
    clipping: tuple[float, float, float],
    free: NDArray[np.bool_],
) -> _Ranked:
    """Poses, fitted to their best cards where that resembles them more; these cards, their
    correlation, and that of the second best."""
    shown = _clipped_deck(deck, *clipping)
    best, correlation, second = shown.rank(grey, maps, free)
    refined = refine_on_cards(grey, maps, _clipped_samples(with_decoys(deck)[best], *clipping))
    again, *figures = shown.rank(grey, refined, free)
    better = (again == best) & (figures[0] > correlation)
    maps = np.where(better[:, None, None], refined, maps)
    correlation, second = (
        np.where(better, *both) for both in zip(figures, (correlation, second), strict=True)
    )
    return maps, best, correlation, second


@lru_cache(maxsize=2 * len(_CLIPPINGS))
def _clipped_deck(deck: KnownDeck, threshold: float, before: float, after: float) -> RankedDeck:
    """A deck's symbols as an overexposed photo shows them."""
    return RankedDeck.of_samples(_clipped_samples(with_decoys(deck), threshold, before, after))


def _clipped_samples(
    modules: NDArray[np.float32], threshold: float, before: float, after: float
) -> NDArray[np.float32]:
    """Symbols, shape (symbols, 21, 21), as an overexposed photo shows them, shape (symbols,
    samples)."""
    rows, samples = _fine_rows(before), _sampling(after)
    shown = np.empty((len(modules), SPAN, SPAN), np.float32)
    for start in range(0, len(modules), _AT_ONCE):
        part = slice(start, start + _AT_ONCE)
        dark = np.maximum(rows @ modules[part] @ rows.T - threshold, 0) / (1 - threshold)
        shown[part] = samples @ dark @ samples.T
    return shown.reshape(len(modules), SPAN * SPAN)


def _fine_rows(blur: float) -> NDArray[np.float32]:
    """Weight of each module in each fine point along one axis, shape (points, 21)."""
    rows = np.kron(np.eye(MODULES, dtype=np.float32), np.ones((1, _FINE), np.float32))
    padded = np.pad(rows, ((0, 0), (2 * _FINE, 2 * _FINE)))
    return np.ascontiguousarray(gaussian_filter1d(padded, blur * _FINE, axis=1).T)


def _sampling(blur: float) -> NDArray[np.float32]:
    """Weight of each fine point in each sample along one axis, shape (SPAN, points)."""
    points = (MODULES + 4) * _FINE
    soft = gaussian_filter1d(np.eye(points, dtype=np.float32), blur * _FINE, axis=1)
    at = ((np.arange(SPAN) + 0.5) / PER_MODULE - BORDER + 2) * _FINE
    return np.ascontiguousarray((soft[:, at.astype(int)] + soft[:, at.astype(int) - 1]).T / 2)
