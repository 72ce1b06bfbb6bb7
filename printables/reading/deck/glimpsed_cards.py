"""Cards of whose symbols hardly more than a finder pattern is in sight.

Such a symbol cannot be recognised, but tells where an unread card lies, also where paper does not:
above a card that was read, and below another. See `placed_symbols` and `cut_patterns`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from printables.cards.card import CardLayout
from printables.cards.codes import MODULES
from printables.reading.symbols.finder_patterns import CORNER
from printables.reading.symbols.pose import are_on_symbols
from printables.tabletop.grouping import card_outlines
from printables.tabletop.outlines import is_same_card, symbol_places
from printables.tabletop.plane import map_points

_OTHER_CARD = 0.2
"""Distance between the centres of two cards, as a share of their shorter side, up to which they are
the same. Not varied in any measurement."""
_ON_CARD = 0.1
"""Share of a symbol that an unread card covers, from which a single finder pattern may be that
card's: a pattern is a ninth of a symbol."""
_SAME_PATTERN = 2.5
"""Distance in modules within which a pattern that a known card covers in part is that of another
card that was found."""

Points = NDArray[np.float64]
Kind = Literal["row", "cut", "single"]
KINDS: Sequence[Kind] = get_args(Kind)
"""Those whose cards are placed first come first."""


@dataclass(frozen=True, eq=False)
class Glimpse:
    """A symbol of which hardly more than a finder pattern is in sight.

    Attributes
    ----------
    corners : float array, shape (4, 2)
        Pixels.
    kind : {"row", "cut", "single"}
        Whether two finder patterns show where it is, or one beside a known card that covers a part
        of it, or any other.
    pattern : float array, shape (2,)
        Centre of the finder pattern that is in sight, or of one of the two, pixels.
    """

    corners: Points
    kind: Kind
    pattern: Points


def glimpsed_cards(
    glimpses: Sequence[Glimpse], to_table: Points, read: Points, layout: CardLayout, others: Points
) -> Points:
    """Compute the outlines of cards whose symbols were glimpsed.

    Parameters
    ----------
    glimpses : sequence of Glimpse
    to_table : float array, shape (3, 3)
        Homography from the photo's pixels to millimetres.
    read : float array, shape (read, 4, 2)
        Corners of the symbols read, pixels.
    layout : CardLayout
    others : float array, shape (cards, 4, 2)
        Outlines of other unread cards, millimetres.

    Returns
    -------
    float array, shape (cards, 4, 2)
        Outlines, millimetres; none of the others.
    """
    seen = np.array([glimpse.corners for glimpse in glimpses]).reshape(-1, 4, 2)
    symbols = map_points(to_table, seen)
    fresh = ~are_on_symbols(symbols.mean(1), map_points(to_table, read))
    patterns = map_points(to_table, np.array([one.pattern for one in glimpses]).reshape(-1, 2))
    known, apart = others, _OTHER_CARD * min(layout.width_mm, layout.height_mm)
    cards = card_outlines(symbols, layout)
    for place in np.flatnonzero(fresh).tolist():
        glimpse, symbol, card = glimpses[place], symbols[place], cards[place]
        new = (np.linalg.norm(known.mean(1) - card.mean(0), axis=1) > apart).all()
        if glimpse.kind != "row":
            new &= not _is_of(patterns[place], known, layout)
        if glimpse.kind == "single":
            new &= not is_same_card(symbol, others, _ON_CARD)
        if new:
            known = np.concatenate([known, card[None]])
    return known[len(others) :]


def _is_of(pattern: Points, cards: Points, layout: CardLayout) -> bool:
    """Whether a finder pattern is one of a card's symbol, however the card lies."""
    apart = np.linalg.norm(_patterns(symbol_places(cards, layout)) - pattern, axis=-1)
    return bool((apart < _SAME_PATTERN * layout.symbol.width / MODULES).any())


def _patterns(symbols: Points) -> Points:
    """Centres of the finder patterns, shape (symbols, 3, 2)."""
    first, second, _, fourth = np.moveaxis(symbols, 1, 0)
    near = CORNER / MODULES
    middles = [(near, near), (1 - near, near), (near, 1 - near)]
    return np.stack([first + x * (second - first) + y * (fourth - first) for x, y in middles], 1)
