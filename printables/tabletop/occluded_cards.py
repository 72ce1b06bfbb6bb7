"""Finding cards whose symbol is occluded by pen strokes, a coin or a finger.

An occluded symbol is still a dark patch of a symbol's size, surrounded by white paper. The read
cards nearby show how light paper is. The card's orientation follows from where the paper is, and
from the orientation of its neighbours.
"""

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

from printables.cards.card import CardLayout
from printables.tabletop.grouping import TablePlan, card_outlines
from printables.tabletop.outlines import outline_distances, points_inside
from printables.tabletop.plane import map_points
from printables.tabletop.top_view import TopView

_SIZE_TOLERANCE = 0.22
"""Greatest relative error of a patch's side. At .6 patches that are not cards are reported in
"careless" (60 and 300 cards), at .08 an occluded card is missed there."""
_RING = (1.10, 1.18)
"""Sizes, relative to the patch, of two squares around it that must be on paper. They are inside the
symbol's quiet zone of four modules (ISO/IEC 18004:2015, 6.3.8)."""
_PAPER = 0.80
"""Least grey of paper, as a share of that of the known cards nearby. At .5 patches of a patterned
cloth are reported as cards ("patterned", "careless"), at .95 occluded cards are missed in
"careless"."""
_LEAST_RING = 0.8
"""Share of the ring that must be paper. At .3 a patch of cloth is reported in "patterned", at .98
an occluded card is missed in "careless" (60 cards)."""
_LEAST_PAPER = 0.72
"""Share of the card that must be paper; the rest may be sketch, symbol and caption. At .3 a place
without a card is reported in "careless" (60 cards), at .95 occluded cards are missed there."""
_SPOT_MM, _LEAST_DARK, _PRINTED, _PLACES = 8.0, 0.22, 1.25, 10
"""Side of a dark spot, in millimetres, and by how much darker than the paper it is, as a share of
the paper's light; factor by which symbols are enlarged to cover their blurred edges; and places per
side of a card that are compared. At .28 of the second, 7 fewer of 2,040 cards are read in 12
careless photos by another simulator. Sketches are darker by less than .2. The other numbers were
not varied in any measurement."""
_ALONG = np.linspace(0.06, 0.94, 14)
"""Sampled points along a side, as shares of its length."""


def find_occluded_cards(
    grey: NDArray[np.uint8],
    patches: NDArray[np.float64],
    plan: TablePlan,
    layout: CardLayout,
    oriented: int = 0,
) -> NDArray[np.float64]:
    """Find cards whose symbols are visible but unreadable.

    Parameters
    ----------
    grey : uint8 array, shape (height, width)
        The photo.
    patches : float array, shape (patches, 4, 2)
        Corners, pixels, clockwise, of dark patches that were not read.
    plan : TablePlan
        All cards known so far.
    layout : CardLayout
    oriented : int
        Number of patches, from the first, whose first corner is the symbol's upper left.

    Returns
    -------
    float array, shape (cards, 4, 2)
        Corners on the table, millimetres.
    """
    found: list[NDArray[np.float64]] = []
    flat = map_points(plan.to_table, patches)
    to_photo = np.asarray(np.linalg.inv(plan.to_table))
    for place, least, neighbours in _on_paper(grey, patches, flat, plan, layout):
        others = np.concatenate([plan.outlines, np.array(found).reshape(-1, 4, 2)])
        orientations = _orientations(flat[place], layout)
        paper = (
            _grey_at(grey, map_points(to_photo, points_inside(orientations, _ALONG))) > least
        ).mean(1)
        likely = np.flatnonzero(paper >= _LEAST_PAPER)
        likely = likely[[not _overlaps(orientations[turn], others) for turn in likely]]
        if place < oriented and 0 in likely:
            found.append(orientations[0])
        elif len(likely):
            # on a white table, paper does not show the orientation: assume that of the neighbours
            alike = _directions(orientations[likely]) @ _directions(neighbours).sum(0)
            found.append(orientations[likely[alike.argmax()]])
    return np.array(found).reshape(-1, 4, 2)


def _on_paper(
    grey: NDArray[np.uint8],
    patches: NDArray[np.float64],
    flat: NDArray[np.float64],
    plan: TablePlan,
    layout: CardLayout,
) -> Iterator[tuple[int, float, NDArray[np.float64]]]:
    """Patches of a symbol's size on paper: index, least grey of paper, and neighbouring cards."""
    sides = np.linalg.norm(np.roll(flat, -1, axis=1) - flat, axis=2) / layout.symbol.width
    sized = (np.abs(sides - 1) < _SIZE_TOLERANCE).all(1)
    (places,) = np.nonzero(sized & ~on_a_card(flat.mean(1), plan.outlines))
    near = np.argsort(cdist(flat[places].mean(1), plan.outlines.mean(1)), axis=1)[:, :3]
    used, which = np.unique(near, return_inverse=True)
    inside = points_inside(plan.outlines[used], _ALONG)
    seen = _grey_at(grey, map_points(np.asarray(np.linalg.inv(plan.to_table)), inside))
    whites = np.percentile(seen, 80, axis=1) if len(used) else np.zeros(0)
    leasts = _PAPER * np.median(whites[which.reshape(near.shape)], axis=1)
    ringed = (_grey_at(grey, _ring_points(patches[places])) > leasts[:, None]).mean(
        1
    ) >= _LEAST_RING
    for n in np.flatnonzero(ringed):
        yield int(places[n]), float(leasts[n]), plan.outlines[near[n]]


def dark_spots(
    top: TopView, symbols: NDArray[np.float64], papers: NDArray[np.float64], rim: float
) -> NDArray[np.float64]:
    """Find places on paper that are as dark as a symbol, beside the symbols read.

    Parameters
    ----------
    top : TopView
    symbols : float array, shape (symbols, 4, 2)
        Corners of the symbols read, millimetres.
    papers : float array, shape (papers, 4, 2)
        Outlines of cards or scraps of paper, millimetres.
    rim : float
        Share of their sides beside each edge that is left out.

    Returns
    -------
    float array, shape (spots, 2)
        Millimetres.
    """
    if not len(papers) or not len(symbols):
        return np.zeros((0, 2))
    top = top.near(np.concatenate([papers, symbols]), _SPOT_MM)
    grey, middles = top.grey.copy(), symbols.mean(1, keepdims=True)
    grown = middles + _PRINTED * (symbols - middles)
    row, column = _pixels(top, grown)
    # something dark may lie at two of the four corners
    lights = np.sort(top.grey[row, column], axis=1)[:, 2].tolist()
    for place, light in zip(np.round(top.from_mm(grown)).astype(np.int32), lights, strict=True):
        cv2.fillConvexPoly(grey, place, light)
    soft = cv2.blur(grey, (max(round(_SPOT_MM * top.px_per_mm), 1),) * 2)
    inside = points_inside(papers, np.linspace(rim, 1 - rim, _PLACES))
    row, column = _pixels(top, inside)
    seen = soft[row, column]
    paper = np.sort(seen, axis=1)[:, int(0.8 * seen.shape[1])].astype(float)
    return np.asarray(inside[seen < (1 - _LEAST_DARK) * paper[:, None]])


def _pixels(top: TopView, places: NDArray[np.float64]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Rows and columns of the nearest pixels of a top view."""
    column, row = np.moveaxis(np.round(top.from_mm(places)).astype(np.intp), -1, 0)
    height, width = top.grey.shape
    return np.clip(row, 0, height - 1), np.clip(column, 0, width - 1)


def on_a_card(points: NDArray[np.float64], outlines: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Test which points are on one of the cards.

    Parameters
    ----------
    points : float array, shape (n, 2)
    outlines : float array, shape (cards, 4, 2)
        Rectangles.

    Returns
    -------
    bool array, shape (n,)
    """
    start = outlines[:, 0]
    sides = outlines[:, [1, 3]] - start[:, None]
    along = np.einsum("pcd,ced->pce", points[:, None] - start, sides) / (sides**2).sum(-1)
    return np.asarray(((along > 0) & (along < 1)).all(2).any(1))


def _orientations(square: NDArray[np.float64], layout: CardLayout) -> NDArray[np.float64]:
    """The four possible outlines of a card around its symbol."""
    return card_outlines(np.stack([np.roll(square, -turn, axis=0) for turn in range(4)]), layout)


def _directions(outlines: NDArray[np.float64]) -> NDArray[np.float64]:
    """Unit vectors along the upper side of each card."""
    across = outlines[:, 1] - outlines[:, 0]
    return np.asarray(across / np.linalg.norm(across, axis=1, keepdims=True))


def _ring_points(patches: NDArray[np.float64]) -> NDArray[np.float64]:
    """Points just outside each patch on all sides, shape (patches, points, 2)."""
    middle = patches.mean(1, keepdims=True)
    ahead = np.roll(patches, -1, axis=1)
    edges = np.concatenate([patches * (1 - share) + ahead * share for share in _ALONG], axis=1)
    return np.concatenate([middle + grown * (edges - middle) for grown in _RING], axis=1)


def _grey_at(grey: NDArray[np.uint8], points: NDArray[np.float64]) -> NDArray[np.uint8]:
    """Grey levels at points, shape (n, points, 2); 0 outside the photo."""
    if not len(points):
        return np.zeros(points.shape[:2], np.uint8)
    column, row = points.astype(np.float32).transpose(2, 0, 1)
    seen = cv2.remap(
        grey, np.ascontiguousarray(column), np.ascontiguousarray(row), cv2.INTER_LINEAR
    )
    return np.asarray(seen, np.uint8)


def _overlaps(card: NDArray[np.float64], others: NDArray[np.float64]) -> bool:
    """Whether a card covers the middle of another; cards side by side do not."""
    reach = np.linalg.norm(card[2] - card[0])
    others = others[np.linalg.norm(others.mean(1) - card.mean(0), axis=1) < reach]
    inner = others.mean(1, keepdims=True) + 0.5 * (others - others.mean(1, keepdims=True))
    first, _, distances = outline_distances(np.concatenate([card[None], inner]), 0.0)
    return bool(((first == 0) & (distances == 0)).any())
