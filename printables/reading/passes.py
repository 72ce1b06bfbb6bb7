"""The passes over a photo: each reads symbols that the passes before it did not."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from printables.cards.card import CardLayout
from printables.cards.codes import MODULES
from printables.reading.deck.known_deck import KnownDeck
from printables.reading.deck.matching import match_deck
from printables.reading.symbols.codewords import decode_grids
from printables.reading.symbols.decoding import Decoded
from printables.reading.symbols.finders import find_symbols
from printables.reading.symbols.pose import Poses, maps_from_corners
from printables.tabletop.grouping import TablePlan, plan_table
from printables.tabletop.top_view import TopView

SURELY_OURS = 0.65

_MODULE_PX = 1.7
_LIKE_A_SYMBOL = 0.5

Corners = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ReadSymbol:
    """One symbol that was read.

    Attributes
    ----------
    code : str
        14 digits with correct check digits.
    corners : float array, shape (4, 2)
        TL TR BR BL of the symbol as printed, pixels.
    how : {"decoded", "matched"}
        Decoded, or recognised as a card of the known deck.
    margin : float or None
        For matched symbols, the lead over the second best card, as a difference of correlations.
    group : int
        The group of the card, from 1; 0 for a code that is not in the known deck.
    """

    code: str
    corners: NDArray[np.float64]
    how: str
    margin: float | None = None
    group: int = 0


@dataclass(eq=False)
class Sighted:
    """What was found in a photo so far.

    Attributes
    ----------
    grey : uint8 array
        The photo.
    deck : KnownDeck or None
    symbols : list of ReadSymbol
    unread : Poses
        Unread symbols, in the photo's pixels.
    """

    grey: NDArray[np.uint8]
    deck: KnownDeck | None
    symbols: list[ReadSymbol] = field(default_factory=list)
    unread: Poses = field(default_factory=lambda: Poses(np.zeros((0, 2, 3)), np.zeros(0)))

    @property
    def layout(self) -> CardLayout:
        return CardLayout() if self.deck is None else self.deck.layout

    def all_corners(self) -> Corners:
        """Corners of all symbols in the photo, read ones first."""
        read = np.array([symbol.corners for symbol in self.symbols]).reshape(-1, 4, 2)
        return np.concatenate([read, self.unread.corners()])

    def add_decoded(self, found: Sequence[Decoded], corners: Corners) -> None:
        """Add what zxing-cpp decoded."""
        self.symbols += [
            ReadSymbol(symbol.code, place, "decoded")
            for symbol, place in zip(found, corners, strict=True)
        ]

    def add_poses(
        self, picture: NDArray[np.uint8], poses: Poses, to_photo: Callable[[Poses], Poses]
    ) -> None:
        """Read symbols by their poses in a picture; those that cannot be read are kept as
        unread."""
        poses = self._new(poses, to_photo)
        if self.deck is not None:
            matches = match_deck(picture, poses, self.deck, {s.code for s in self.symbols})
            known = matches.cards >= 0
            corners = to_photo(Poses(matches.maps, poses.likeness)[known]).corners()
            self.symbols += [
                ReadSymbol(self.deck.codes[card], place, "matched", float(margin))
                for card, place, margin in zip(
                    matches.cards[known], corners, matches.margin[known], strict=True
                )
            ]
            poses = poses[~known & ~_near(to_photo(poses).corners().mean(1), corners)]
        placed = to_photo(poses)
        coarse = np.median(_modules(placed)) < np.median(_modules(poses)) if len(poses) else False
        codes = decode_grids(picture, poses) if coarse else decode_grids(self.grey, placed)
        for code, place in zip(codes, placed.corners(), strict=True):
            if code is not None:
                self.symbols.append(ReadSymbol(code, place, "decoded"))
        left = np.array([code is None for code in codes], bool) & (placed.likeness >= SURELY_OURS)
        self.unread = Poses(
            np.concatenate([self.unread.maps, placed.maps[left]]),
            np.concatenate([self.unread.likeness, placed.likeness[left]]),
        )

    def _new(self, poses: Poses, to_photo: Callable[[Poses], Poses]) -> Poses:
        """Store poses of unread symbols; they replace stored ones at the same place."""
        middles = to_photo(poses).corners().mean(1)
        read = np.array([symbol.corners for symbol in self.symbols]).reshape(-1, 4, 2)
        poses, middles = (part[~_near(middles, read)] for part in (poses, middles))
        corners = to_photo(poses).corners()
        self.unread = self.unread[~_near(self.unread.corners().mean(1), corners)]
        return poses


def look_from_above(seen: Sighted) -> None:
    """Find symbols by their finder patterns, in a top view of the table from the symbols so far."""
    plan = plan_table(seen.all_corners(), seen.layout)
    top = top_view(seen, plan)
    read = np.array([symbol.corners for symbol in seen.symbols]).reshape(-1, 4, 2)
    module_px = top.px_per_mm * seen.layout.symbol.width / MODULES
    cards = top.from_mm(plan.outlines[: len(read)])
    poses = find_symbols(top.grey, module_px, top.from_photo(read), cards)
    poses = distinct(poses[poses.likeness >= _LIKE_A_SYMBOL])

    def to_photo(poses: Poses) -> Poses:
        return Poses(maps_from_corners(top.in_photo(poses.corners())), poses.likeness)

    seen.add_poses(top.grey, poses, to_photo)


def top_view(seen: Sighted, plan: TablePlan) -> TopView:
    """The table from above at the scale of the search."""
    density = _MODULE_PX * MODULES / seen.layout.symbol.width
    return TopView.of(seen.grey, plan.to_table, plan.outlines, density)


def distinct(poses: Poses) -> Poses:
    """The best of several poses on one symbol."""
    corners = poses.corners()
    middles = corners.mean(1)
    sides = np.linalg.norm(corners[:, 0] - corners[:, 2], axis=1) / 2**0.5
    near = np.linalg.norm(middles[:, None] - middles[None], axis=2) < 0.5 * sides[:, None]
    rank = np.empty(len(poses), np.intp)
    # two hypotheses may converge to the same pose, with equal likeness
    rank[np.argsort(-poses.likeness, kind="stable")] = np.arange(len(poses))
    beaten = near & (rank[None, :] < rank[:, None])
    return poses[~beaten.any(1)]


def _near(middles: Corners, corners: Corners) -> NDArray[np.bool_]:
    """Which centres, shape (n, 2), are inside one of the symbols, shape (m, 4, 2)."""
    if not len(middles) or not len(corners):
        return np.zeros(len(middles), bool)
    sides = np.linalg.norm(corners[:, 0] - corners[:, 2], axis=1) / 2**0.5
    apart = np.linalg.norm(middles[:, None] - corners.mean(1)[None], axis=2)
    return np.asarray((apart < 0.5 * sides).any(1))


def _modules(poses: Poses) -> NDArray[np.float64]:
    return np.sqrt(np.abs(np.linalg.det(poses.maps[:, :, :2])))
