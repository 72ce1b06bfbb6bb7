"""What was detected in a photo so far: read and unread symbols, and the plane of the table."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from printables.cards.card import CardLayout
from printables.reading.deck.clipped_symbols import match_clipped
from printables.reading.deck.glimpsed_cards import Glimpse, Kind, glimpsed_cards
from printables.reading.deck.known_deck import KnownDeck
from printables.reading.deck.matching import Matches, match_deck
from printables.reading.findings import Finding
from printables.reading.photos.colours import Colours
from printables.reading.photos.overexposure import loses_lines
from printables.reading.symbols.alignment import estimate_blur, refine_finely
from printables.reading.symbols.codewords import decode_grids
from printables.reading.symbols.decoding import Decoded
from printables.reading.symbols.pose import Poses, are_on_symbols, maps_from_corners, module_sizes
from printables.reading.symbols.search import View
from printables.tabletop.blank_cards import find_blank_cards
from printables.tabletop.edges.paper_view import PaperView
from printables.tabletop.grouping import TablePlan, card_outlines, plan_table
from printables.tabletop.plane import map_points
from printables.tabletop.top_view import TopView

LEAST_CORRELATION = 0.78
"""Least correlation with the common modules of a symbol that is decoded or reported as unread: grey
spots and other QR codes resemble a blurred symbol. At .39, 59 instead of 5 places are reported in
"careless" (150 cards), and groups are wrong; no scene tried differs at .89."""
_LEAST_ROTATED, _DECODABLE_PX = 0.6, 1.2
"""Least correlation of a pose that is also tried in the three other rotations, and least pixels per
module of a symbol that is decoded. Both save time. At .8 of the first, one more card of "careless"
(150 cards) stays unread; no scene tried differs at .3, nor at .6 and 2.4 of the second."""
_SAME_PLACE = 0.15
"""Distance, in sides of a symbol, within which a position counts as examined already. Only saves
time: no scene tried differs at half or twice."""
_SETTLED = 1.1
"""How many times the symbols of the last estimate of the table's plane there may be before it is
estimated again. Only saves time: at 1, one of 5,988 cards fewer is read and one more outlined."""
_ENOUGH = 40
"""Most symbols from which a photo's blur is estimated. Only saves time: no scene tried differs at
20 or 80."""

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
        For matched symbols, correlation of the best card minus that of the second best.
    group : int
        The group of the card, from 1; 0 for a code that is not in the known deck.
    """

    code: str
    corners: NDArray[np.float64]
    how: str
    margin: float | None = None
    group: int = 0


@dataclass(frozen=True)
class Mirror:
    """Turns what was found in a photo that was turned round back to the mirrored photo.

    Attributes
    ----------
    width : int
        Of the photo, pixels.
    """

    width: int

    def __call__(self, places: NDArray[np.float64]) -> NDArray[np.float64]:
        """Points in pixels, shape (..., 2)."""
        return places * [-1.0, 1.0] + [self.width - 1.0, 0.0]

    def symbols(self, read: Sequence[ReadSymbol]) -> tuple[ReadSymbol, ...]:
        """Symbols that were read."""
        return tuple(replace(symbol, corners=self(symbol.corners)) for symbol in read)

    def finding(self, found: Finding) -> Finding:
        """A finding, which may have places."""
        if "places" not in found.facts:
            return found
        places = self(np.array(found.facts["places"])).tolist()
        return replace(found, facts=found.facts | {"places": places})

    def plan(self, found: TablePlan) -> TablePlan:
        """The cards on the table, which stay where they are."""
        turn = np.array([[-1, 0, self.width - 1], [0, 1, 0], [0, 0, 1]])
        return TablePlan(found.to_table @ turn, found.outlines)


@dataclass(eq=False)
class Detections:
    """What was detected in a photo so far.

    Attributes
    ----------
    grey : uint8 array
        The photo.
    deck : KnownDeck or None
    view : View
        The photo at the scale of the search.
    symbols : list of ReadSymbol
    unread : Poses
        Symbols that could not be read, in the photo's pixels.
    blobs : float array, shape (blobs, 4, 2)
        Corners of dark patches that may be symbols, in the photo's pixels.
    in_part : set of str
        Codes of symbols that were recognised by the part that is in sight.
    glimpsed : list of Glimpse
        Symbols of which hardly more than a finder pattern is in sight.
    overexposed : uint8 array or None
        The photo as it was taken, if it is overexposed.
    colours : Colours or None
        The photo's colours, if they are known.
    """

    grey: NDArray[np.uint8]
    deck: KnownDeck | None
    view: View
    symbols: list[ReadSymbol] = field(default_factory=list)
    unread: Poses = field(default_factory=lambda: Poses(np.zeros((0, 2, 3)), np.zeros(0)))
    blobs: Corners = field(default_factory=lambda: np.zeros((0, 4, 2)))
    in_part: set[str] = field(default_factory=set)
    glimpsed: list[Glimpse] = field(default_factory=list)
    overexposed: NDArray[np.uint8] | None = None
    colours: Colours | None = None
    _read: tuple[list[ReadSymbol], Corners] | None = None
    _tried: Corners = field(default_factory=lambda: np.zeros((0, 2)))
    _table: tuple[tuple[int, int, float], TablePlan, TopView] | None = None
    _blur: tuple[tuple[int, float], float | None] | None = None
    _paper: tuple[TopView, PaperView] | None = None
    _papers: tuple[Corners, tuple[Corners, Corners]] | None = None
    _lost: tuple[int, bool] | None = None

    @property
    def own(self) -> NDArray[np.bool_]:
        """Which of the symbols read are cards of the deck; all if there is no deck."""
        deck = self.deck
        return np.array([deck is None or s.code in deck.places for s in self.symbols], bool)

    @property
    def read_corners(self) -> Corners:
        """Corners of the symbols read, pixels, shape (symbols, 4, 2)."""
        if self._read is None or self._read[0] != self.symbols:
            corners = np.array([symbol.corners for symbol in self.symbols]).reshape(-1, 4, 2)
            self._read = (self.symbols.copy(), corners)
        return self._read[1]

    @property
    def layout(self) -> CardLayout:
        """The deck's layout; the default one if no deck is known."""
        return CardLayout() if self.deck is None else self.deck.layout

    @property
    def plan(self) -> TablePlan:
        """The cards of all detected symbols on the table, read ones first."""
        return self._rectified()[0]

    @property
    def top(self) -> TopView:
        """A top view of the table."""
        return self._rectified()[1]

    @property
    def paper(self) -> PaperView:
        """The top view, corrected for illumination."""
        if self._paper is None or self._paper[0] is not self.top:
            read = self.top.from_mm(self.plan.outlines[: len(self.symbols)])
            self._paper = (self.top, PaperView.of(self.top.grey, read, self.top.px_per_mm))
        return self._paper[1]

    @property
    def loses_lines(self) -> bool:
        """Whether symbols lose dark lines to overexposure; see `overexposure.loses_lines`."""
        corners = self.all_corners()
        if self._lost is None or self._lost[0] != len(corners):
            self._lost = (len(corners), loses_lines(self.grey, corners))
        return self._lost[1]

    def _rectified(self) -> tuple[TablePlan, TopView]:
        known = (len(self.symbols), len(self.unread), self.view.scale)
        if self._table is None or self._table[0] != known:
            corners, before = self.all_corners(), self._table
            if before is not None and len(corners) <= _SETTLED * len(before[1].outlines):
                onto, top = before[1].to_table, before[2]
                plan = TablePlan(onto, card_outlines(map_points(onto, corners), self.layout))
            else:
                plan = plan_table(corners, self.layout)
                top = TopView.of(self.view.grey, self.view.scale, plan.to_table, plan.outlines)
            self._table = (known, plan, top)
        return self._table[1:]

    def untried(self, middles: Corners) -> Corners:
        """Drop positions that were examined before.

        Parameters
        ----------
        middles : float array, shape (n, 2)
            Millimetres.

        Returns
        -------
        float array, shape (m, 2)
            The new positions; they count as examined from now on.
        """
        to_photo = np.asarray(np.linalg.inv(self.plan.to_table))
        places = map_points(to_photo, middles)
        if len(self._tried) and len(places):
            tried = map_points(self.plan.to_table, self._tried)
            apart = cKDTree(tried).query(middles)[0]
            fresh = apart > _SAME_PLACE * self.layout.symbol.width
            places, middles = places[fresh], middles[fresh]
        self._tried = np.concatenate([self._tried, places])
        return middles

    def blur(self) -> float | None:
        """The greatest blur of the view, in its pixels, from the symbols read; None if too few."""
        known = (min(len(self.symbols), _ENOUGH), self.view.scale)
        if self._blur is None or self._blur[0] != known:
            some = self.view.from_photo(self.read_corners[:: max(len(self.symbols) // _ENOUGH, 1)])
            poses = refine_finely(self.view.grey, maps_from_corners(some), np.inf)
            self._blur = (known, estimate_blur(self.view.grey, poses))
        return self._blur[1]

    def blank_cards_beside(self, outlines: Corners) -> tuple[Corners, Corners]:
        """Blank cards and scraps outside known cards (`find_blank_cards`) of paper's colour."""
        if self._papers is None or not np.array_equal(self._papers[0], outlines):
            self._papers = (outlines, find_blank_cards(self.top, outlines, self.layout))
        if self.colours is None:
            return self._papers[1]
        read = TablePlan(self.plan.to_table, self.plan.outlines[: len(self.symbols)])
        blank, scraps = self._papers[1]
        places = np.concatenate([blank, scraps])
        paper = self.colours.are_paper(self.top, read, self.paper, places)
        return blank[paper[: len(blank)]], scraps[paper[len(blank) :]]

    def cards_glimpsed(self, others: Corners, kind: Kind) -> Corners:
        """Outlines of cards of whose symbols such a glimpse was seen; see `glimpsed_cards`."""
        seen, table = [one for one in self.glimpsed if one.kind == kind], self.plan.to_table
        return glimpsed_cards(seen, table, self.read_corners, self.layout, others)

    def all_corners(self) -> Corners:
        """Corners of all detected symbols, pixels, read ones first, shape (symbols, 4, 2)."""
        return np.concatenate([self.read_corners, self.unread.corners()])

    def replace_photo(self, grey: NDArray[np.uint8], seen: View | None = None) -> None:
        """Go on with a version of the photo in which tones differ; `seen` is a view of it."""
        if grey is not self.grey:
            if seen is None or seen.scale != self.view.scale:
                seen = View.at(grey, self.view.scale, self.view.known)
            self.grey, self.view = grey, seen
            self._table, self._papers = None, None

    def add_decoded(self, found: Sequence[Decoded], corners: Corners) -> None:
        """Add the symbols that zxing-cpp decoded, with their corners, shape (symbols, 4, 2)."""
        self.symbols += [
            ReadSymbol(symbol.code, place, "decoded")
            for symbol, place in zip(found, corners, strict=True)
        ]

    def add_in_part(
        self, codes: Sequence[str], corners: Corners, margins: NDArray[np.float64]
    ) -> None:
        """Add symbols recognised among the deck by the part in sight, with corners in pixels."""
        self.in_part.update(codes)
        found = zip(codes, corners, margins, strict=True)
        self.add_read([ReadSymbol(code, at, "matched", float(more)) for code, at, more in found])

    def add_read(self, found: Sequence[ReadSymbol]) -> None:
        """Add symbols that were read elsewhere, such as in another version of the photo."""
        self.symbols += found
        self.unread = self.unread[~are_on_symbols(self.unread.corners().mean(1), self.read_corners)]

    def add_poses(self, poses: Poses) -> None:
        """Read symbols by their poses in the view, and record those that cannot be read."""
        poses = self._new(poses)
        if self.deck is not None:
            poses = self._match(poses, self.deck)
            # a blurred symbol looks nearly the same in other quarter turns
            turned = poses[poses.correlation >= _LEAST_ROTATED].quarter_turns()
            if len(turned):
                settled = refine_finely(self.view.grey, turned.maps, self.blur(), False)
                self._match(settled, self.deck)
                poses = self._new(poses)
        placed = self.view.to_photo(poses)
        likely = placed.correlation >= LEAST_CORRELATION
        clear = likely & (module_sizes(placed.maps) >= _DECODABLE_PX)
        codes: list[str | None] = [None] * len(placed)
        for place, code in zip(np.flatnonzero(clear), self._decoded(placed[clear]), strict=True):
            codes[place] = code
            if code is not None:
                self.symbols.append(ReadSymbol(code, placed.corners()[place], "decoded"))
        left = likely & np.array([code is None for code in codes], bool)
        self.unread = Poses(
            np.concatenate([self.unread.maps, placed.maps[left]]),
            np.concatenate([self.unread.correlation, placed.correlation[left]]),
        )

    def _match(self, poses: Poses, deck: KnownDeck) -> Poses:
        """Recognise cards of the deck; return the poses that were not recognised."""
        matches = match_deck(self.view.grey, poses, deck, {s.code for s in self.symbols})
        left = matches.cards < 0
        placed = self.view.to_photo(Poses(matches.maps, poses.correlation))
        self._add_matched(matches, placed, deck)
        if self.overexposed is not None:
            read_codes, lost = {s.code for s in self.symbols}, placed[left]
            self._add_matched(match_clipped(self.overexposed, lost, deck, read_codes), lost, deck)
        return self._new(poses[left])

    def _add_matched(self, matches: Matches, placed: Poses, deck: KnownDeck) -> None:
        """Add the cards that were recognised, by their poses in the photo."""
        known = matches.cards >= 0
        corners, margins = placed[known].corners(), matches.margin[known]
        self.symbols += [
            ReadSymbol(deck.codes[card], place, "matched", float(margin))
            for card, place, margin in zip(matches.cards[known], corners, margins, strict=True)
        ]

    def _decoded(self, placed: Poses) -> list[str | None]:
        """Decode symbols in the view or in the photo, whichever shows them larger."""
        if self.view.scale > 1:
            maps = maps_from_corners(self.view.from_photo(placed.corners()))
            return decode_grids(self.view.grey, Poses(maps, placed.correlation))
        return decode_grids(self.grey, placed)

    def _new(self, poses: Poses) -> Poses:
        """Drop poses on symbols already read, and stored unread poses that these replace."""
        placed = self.view.to_photo(poses)
        read = self.read_corners
        fresh = ~are_on_symbols(placed.corners().mean(1), read)
        everything = np.concatenate([read, placed[fresh].corners()])
        self.unread = self.unread[~are_on_symbols(self.unread.corners().mean(1), everything)]
        return poses[fresh]
