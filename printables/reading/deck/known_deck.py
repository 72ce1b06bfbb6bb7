"""The cards that may be on a table: their codes, for deck matching, and their size."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from basics.wordings import Wording
from printables.cards.card import CardLayout
from printables.cards.codes import decode, header_group, symbol
from printables.cards.manifest import ManifestRow, code_side
from printables.errors import PaperError


@dataclass(frozen=True)
class KnownDeck:
    """The codes that were printed, and the layout of their cards.

    Parameters
    ----------
    codes : sequence of str
        Codes of all cards that may be on the table, without repetition.
    layout : CardLayout
        The cards' layout, from which a symbol's corners give its card's outline.

    Raises
    ------
    PaperError
        If there is no code, a code's check digits are wrong, or a code is repeated.
    """

    codes: tuple[str, ...]
    layout: CardLayout = field(default_factory=CardLayout)

    def __post_init__(self) -> None:
        object.__setattr__(self, "codes", tuple(self.codes))
        if not self.codes:
            raise PaperError("a deck needs at least one card")
        for code in self.codes:
            decode(code)
        if len(self.places) < len(self.codes):
            twice = next(c for n, c in enumerate(self.codes) if self.places[c] != n)
            raise PaperError(
                Wording("code %(twice)s is in the deck twice; list every card once", twice=twice)
            )

    @classmethod
    def from_manifest(cls, rows: Iterable[ManifestRow]) -> "KnownDeck":
        """Make the deck of a print run.

        Parameters
        ----------
        rows : iterable of ManifestRow

        Raises
        ------
        PaperError
            If the cards differ in size, or a code is repeated.
        """
        rows = list(rows)
        sizes = {(row.width_mm, row.height_mm) for row in rows}
        if len(sizes) != 1:
            raise PaperError(
                Wording(
                    "the manifest has cards of %(count)s sizes; give a manifest of one size",
                    count=len(sizes),
                )
            )
        layout = CardLayout(*sizes.pop(), code_side(rows))
        return cls(tuple(row.code for row in rows), layout)

    @cached_property
    def places(self) -> dict[str, int]:
        """Index of each code in `codes`."""
        return {code: place for place, code in enumerate(self.codes)}

    @cached_property
    def cards(self) -> frozenset[str]:
        """The codes of sketches' cards, without header cards."""
        return frozenset(code for code in self.codes if header_group(decode(code)) is None)

    def cards_laid(self, read: Iterable[str]) -> frozenset[str]:
        """The cards that are on a table with these cards: all of their decks.

        Parameters
        ----------
        read : iterable of str
            Codes that were read on the table.

        Returns
        -------
        frozenset of str
            All `cards` if none of them was read.
        """
        decks = {self._deck_of[code] for code in self.cards.intersection(read)}
        return frozenset(c for c in self.cards if not decks or self._deck_of[c] in decks)

    @cached_property
    def _deck_of(self) -> dict[str, tuple[int, int]]:
        """The numbers of each card's set and deck."""
        decoded = {code: decode(code) for code in self.cards}
        return {code: (card.set_number, card.deck) for code, card in decoded.items()}

    @cached_property
    def modules(self) -> NDArray[np.float32]:
        """The symbols, shape (codes, 21, 21): 1 dark, 0 light."""
        return np.stack([symbol(code) for code in self.codes]).astype(np.float32)
