"""Finding symbols by their finder patterns, which works without a quiet zone.

A finder pattern looks nearly the same in every rotation, so a single circular kernel finds it if
the size of a module is known. In a top view of the table all symbols have the same size
(`printables.tabletop.top_view`). Two patterns at the right distance give a hypothesis, which the
third pattern and the modules common to all symbols confirm.

References
----------
Lewis, J. P. (1995). Fast normalized cross-correlation. Vision Interface, 120-123.
ISO/IEC 18004:2015, 6.3.3 (finder pattern).
"""

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import rotate
from scipy.spatial import cKDTree

from basics.threads import side_by_side
from printables.cards.codes import MODULES
from printables.reading.symbols.alignment import refine_poses, rough_correlation
from printables.reading.symbols.pose import Poses, maps_from_corners, middles_of

_FLAT = 16.0
"""Variance, in squared grey levels, that is assumed at least, so that noise on bare paper does not
correlate. Not varied in any measurement."""
_COARSE, _BLOCK_PX = 4, 256
"""Reduction of the picture in which busy blocks are found, and their side in pixels. Only save
time."""
_LEAST_DEPTH, _LEAST_GREYS = 0.20, 10
"""Least local contrast, as a share of the local maximum and in grey levels. Only saves time: no
scene tried differs at 0.08 or 0.4, or 4 or 30."""
_LEAST_MATCH, _MOST_MATCH, _OF_USUAL, _SAMPLED = 0.20, 0.40, 0.45, 24
"""Least and greatest threshold on the correlation of a finder pattern; the threshold as a share of
the lower quartile over the symbols read in the photo; and most symbols used for this. At a fixed
threshold of 0.30 "careless" with 300 cards lost every sixth card (motion of two modules). Today no
scene differs with a least threshold of 0.1 or 0.35, a greatest of 0.25 or 0.6, or a share of 0.25
or 0.7; with 0.1 reading takes a third longer."""
_MOST_PEAKS = 100_000
"""Most patterns of which pairs are tried, those with the greatest correlation. Bounds the time and
memory of a picture full of squares, where pairs outnumber them: 15 photos of tables have at most
90,769 patterns; 30 megapixels of random squares have 297,000, and ten million pairs of them."""
_ARM, _STRETCH = 14.0, 0.13
"""Distance between two finder patterns in modules, and its greatest relative error, by a wide-angle
lens or a bent card. No scene tried differs at 0.06 or 0.25."""
_THREE = 3.2
"""Least sum of a hypothesis' three correlations, in thresholds: three clear patterns, or two good
ones and one covered. No scene tried differs at 2.2 or 4.2."""
_LEAST_ROUGH = 0.40
"""Least correlation of a hypothesis that is refined; of 160 symbols in "careless" the least had
0.76. No scene tried differs at 0.2 or 0.6."""
_CELL, _MOST_PER_CELL, _MOST_REFINED = 6.0, 2, 1200
"""Side of a cell in modules, most hypotheses refined per cell, and most refined in all: on checked
cloths a table of 300 cards has 70,000 pairs of patterns at the right distance. With 20 in all two
cards are missed in "careless" (150 cards); no scene tried differs with 200, or cells of 2 or 15."""
_OWN = 0.55
"""Distance from the centre of a known symbol, in its sides, within which patterns belong to it. No
scene tried differs at 0.25 or 0.85."""
_PATTERNS = np.array([[3.5, 3.5], [17.5, 3.5], [3.5, 17.5]])
"""Centres of the finder patterns in modules: upper left, upper right, lower left."""
CORNER = 3.5
"""Distance of a pattern's centre from the symbol's edges, in modules."""

Points = NDArray[np.float64]


def find_symbols(
    grey: NDArray[np.uint8],
    module_px: float,
    known: Points | None = None,
    searched: NDArray[np.uint8] | None = None,
) -> Poses:
    """Find candidate symbols in a picture where all modules have the same size.

    Parameters
    ----------
    grey : uint8 array, shape (height, width)
    module_px : float
        Size of a module, pixels; 1.5 to 2.5 works best.
    known : float array, shape (symbols, 4, 2), optional
        Corners of symbols that are known already, pixels.
    searched : uint8 array, shape (height, width), optional
        255 where symbols are searched for, 0 elsewhere; by default everywhere.

    Returns
    -------
    Poses
        Several may be on one symbol.
    """
    known = np.zeros((0, 4, 2)) if known is None else known
    least = _least_match(grey, module_px, known)
    if searched is not None:
        grey = np.asarray(cv2.bitwise_or(grey, cv2.bitwise_not(searched)), np.uint8)
    match = np.zeros(grey.shape, np.float32)
    # overexposed symbols may have hardly any contrast
    depth = _LEAST_DEPTH if searched is None else 0.0
    blocks = _busy_blocks(grey, module_px, depth)
    found = [_peaks_in(grey, module_px, block, match, least) for block in blocks]
    peaks = np.unique(np.concatenate([np.zeros((0, 2)), *found]), axis=0)
    if len(known) and len(peaks):
        reach = _OWN * MODULES * module_px
        far = cKDTree(known.mean(1)).query(peaks, distance_upper_bound=reach)[0] > reach
        peaks = peaks[far]
    if len(peaks) > _MOST_PEAKS:
        like = match[tuple(peaks.astype(np.intp).T[::-1])]
        peaks = peaks[np.sort(np.argsort(-like, kind="stable")[:_MOST_PEAKS])]
    maps = np.concatenate(maps_of_pairs(peaks, module_px))
    maps = maps[_pattern_score(maps, match) >= _THREE * least]
    correlation = rough_correlation(grey, maps)
    likely = correlation >= _LEAST_ROUGH
    return refine_poses(grey, _best_per_cell(maps[likely], correlation[likely], module_px))


def _least_match(grey: NDArray[np.uint8], module_px: float, known: Points) -> float:
    """The threshold on the correlation of finder patterns, from those of the known symbols."""
    if not len(known):
        return _LEAST_MATCH
    some = known[:: max(len(known) // _SAMPLED, 1)]
    kernel = _kernel(round(module_px, 1))
    reach = kernel.shape[0]
    maps = maps_from_corners(some)
    middles = np.einsum("nij,cj->nci", maps[:, :, :2], _PATTERNS) + maps[:, None, :, 2]
    like = []
    for middle in middles.reshape(-1, 2):
        patch = cv2.getRectSubPix(grey, (reach, reach), middle.tolist()).astype(np.float32)
        spread = max(float(patch.std()), _FLAT**0.5)
        like.append(float((patch * kernel).sum()) / spread)
    return float(np.clip(_OF_USUAL * np.quantile(like, 0.25), _LEAST_MATCH, _MOST_MATCH))


def _busy_blocks(
    grey: NDArray[np.uint8], module_px: float, least_depth: float
) -> list[tuple[slice, slice]]:
    """Blocks of a picture with enough local contrast, with a margin."""
    small = cv2.resize(grey, None, fx=1 / _COARSE, fy=1 / _COARSE, interpolation=cv2.INTER_AREA)
    window = np.ones((int(9 * module_px / _COARSE) | 1,) * 2, np.uint8)
    light = cv2.dilate(small, window)
    depth = np.maximum(cv2.convertScaleAbs(light, alpha=least_depth), np.uint8(_LEAST_GREYS))
    busy = cv2.compare(cv2.subtract(light, cv2.erode(small, window)), depth, cv2.CMP_GT)
    busy = cv2.morphologyEx(busy, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    # finder patterns are at the border of busy areas
    busy = cv2.dilate(busy, np.ones((int(MODULES * module_px / _COARSE) | 1,) * 2, np.uint8))
    step, margin = _BLOCK_PX, int(6.0 * module_px) + 1
    blocks = []
    for top in range(0, grey.shape[0], step):
        for left in range(0, grey.shape[1], step):
            rows = slice(top // _COARSE, (top + step) // _COARSE)
            columns = slice(left // _COARSE, (left + step) // _COARSE)
            if cv2.hasNonZero(np.ascontiguousarray(busy[rows, columns])):
                blocks.append(
                    (
                        slice(max(top - margin, 0), top + step + margin),
                        slice(max(left - margin, 0), left + step + margin),
                    )
                )
    return blocks


def _peaks_in(
    grey: NDArray[np.uint8],
    module_px: float,
    block: tuple[slice, slice],
    match: NDArray[np.float32],
    least: float,
) -> Points:
    """Peaks of a block, in pixels of the whole picture; correlations are written into `match`."""
    peaks, like = finder_peaks(grey[block], module_px, least)
    np.maximum(match[block], like, out=match[block])
    corner = np.array([block[1].start, block[0].start])
    return np.asarray(peaks + corner)


def finder_peaks(
    grey: NDArray[np.uint8], module_px: float, least: float = _LEAST_MATCH
) -> tuple[Points, NDArray[np.float32]]:
    """Find local maxima of the correlation with a finder pattern.

    Parameters
    ----------
    grey : uint8 array, shape (height, width)
    module_px : float
        Size of a module, pixels.
    least : float
        Threshold on the correlation.

    Returns
    -------
    peaks : float array, shape (peaks, 2)
        Centres of candidate finder patterns, pixels, x before y.
    match : float array, shape (height, width)
        Highest correlation within one and a half modules, in [-1, 1].
    """
    kernel = _kernel(round(module_px, 1))
    both = side_by_side(lambda measure: measure(grey, kernel), (_products, _spread))
    match = cv2.divide(both[0], both[1])
    around = np.ones((int(3 * module_px) | 1,) * 2, np.uint8)
    highest = cv2.dilate(match, around)
    likely = np.flatnonzero(match >= least)
    peaks = likely[match.ravel()[likely] >= highest.ravel()[likely]]
    row, column = np.unravel_index(peaks, match.shape)
    return np.stack([column, row], -1).astype(float), np.asarray(highest, np.float32)


def _products(grey: NDArray[np.uint8], kernel: NDArray[np.float32]) -> cv2.typing.MatLike:
    """The inner product of a kernel with the patch around each pixel."""
    padded = cv2.copyMakeBorder(grey, *(kernel.shape[0] // 2,) * 4, cv2.BORDER_REPLICATE)
    # by Fourier transforms, in a sixth of the time of `filter2D`
    return cv2.matchTemplate(padded.astype(np.float32), kernel, cv2.TM_CCORR)


def _spread(grey: NDArray[np.uint8], kernel: NDArray[np.float32]) -> cv2.typing.MatLike:
    """Standard deviation of the grey levels in the patch around each pixel."""
    mean = cv2.boxFilter(grey, cv2.CV_32F, kernel.shape)
    square = cv2.sqrBoxFilter(grey, cv2.CV_32F, kernel.shape)
    cv2.multiply(mean, mean, mean)
    cv2.subtract(square, mean, square)
    cv2.max(square, np.full(1, _FLAT), square)
    return cv2.sqrt(square, square)


@lru_cache(maxsize=16)
def _kernel(module_px: float) -> NDArray[np.float32]:
    """A finder pattern with its separator, averaged over all rotations; dark is positive.

    It is scaled so that its inner product with a patch, divided by the patch's standard deviation,
    is their correlation.
    """
    fine = 12
    pattern = np.full((9, 9), -1.0)
    pattern[1:8, 1:8] = 1
    pattern[2:7, 2:7] = -1
    pattern[3:6, 3:6] = 1
    large = np.pad(np.kron(pattern, np.ones((fine, fine))), 2 * fine, constant_values=0.0)
    turned = np.mean([rotate(large, angle, reshape=False, order=1) for angle in range(0, 90, 6)], 0)
    reach = int(np.ceil(4.2 * module_px))
    places = (np.arange(-reach, reach + 1) / module_px + 6.5) * fine - 0.5
    soft = cv2.GaussianBlur(turned.astype(np.float32), (0, 0), 0.6 * fine)
    x, y = np.meshgrid(places.astype(np.float32), places.astype(np.float32))
    kernel = cv2.remap(soft, x, y, cv2.INTER_LINEAR)
    inside = np.hypot(x - x.mean(), y - y.mean()) <= 4.2 * fine
    kernel = np.where(inside, kernel - kernel[inside].mean(), 0.0)
    norm = float(np.linalg.norm(kernel)) * inside.sum() ** 0.5
    return np.asarray(-kernel / norm, np.float32)


def maps_of_pairs(peaks: Points, module_px: float) -> tuple[Points, Points, Points]:
    """Place symbols so that two finder patterns are on two peaks.

    Parameters
    ----------
    peaks : float array, shape (peaks, 2)
        Pixels, x before y.
    module_px : float
        Size of a module, pixels.

    Returns
    -------
    above, left, across : float arrays, shape (n, 2, 3)
        Maps from modules to pixels by the two upper patterns, by the two on the left, and by those
        in the upper right and the lower left corner.
    """
    if len(peaks) < 2:
        return (np.zeros((0, 2, 3)),) * 3
    arm = _ARM * module_px
    tree = cKDTree(peaks)
    pairs = tree.query_pairs(arm * 2**0.5 * (1 + _STRETCH), output_type="ndarray")
    apart = np.linalg.norm(peaks[pairs[:, 0]] - peaks[pairs[:, 1]], axis=1)
    sides = pairs[np.abs(apart / arm - 1) < _STRETCH]
    diagonals = pairs[np.abs(apart / (arm * 2**0.5) - 1) < _STRETCH]
    sides = np.concatenate([sides, sides[:, ::-1]])
    diagonals = np.concatenate([diagonals, diagonals[:, ::-1]])
    start, end = peaks[sides[:, 0]], peaks[sides[:, 1]]
    # from upper left to upper right, and from upper left to lower left
    along = (end - start) / _ARM
    first = _maps(start, along, _quarter_turn(along))
    second = _maps(start, -_quarter_turn(along), along)
    # from upper right to lower left
    start, end = peaks[diagonals[:, 0]], peaks[diagonals[:, 1]]
    across = (end - start) / _ARM
    down = (across + -_quarter_turn(across)) / 2
    right = -_quarter_turn(down)
    third = _maps(start - _ARM * right, right, down)
    return first, second, third


def maps_of_turns(
    peaks: Points, turns: NDArray[np.float64], module_px: float, middle: tuple[float, float]
) -> Points:
    """Place symbols so that one finder pattern is on a peak, in four turns.

    Parameters
    ----------
    peaks : float array, shape (peaks, 2)
        Pixels, x before y.
    turns : float array, shape (peaks,)
        Rotations up to quarter turns, radians.
    module_px : float
        Size of a module, pixels.
    middle : tuple of float
        Centre of this pattern in its symbol, modules.

    Returns
    -------
    float array, shape (peaks, 4, 2, 3)
        Maps from modules to pixels.
    """
    angles = turns[:, None] + np.arange(4) * np.pi / 2
    right = module_px * np.stack([np.cos(angles), np.sin(angles)], -1)
    down = np.stack([-right[..., 1], right[..., 0]], -1)
    return np.stack([right, down, peaks[:, None] - middle[0] * right - middle[1] * down], -1)


def _quarter_turn(vectors: Points) -> Points:
    """Vectors rotated by 90 degrees clockwise in the picture: right becomes down."""
    return np.stack([-vectors[:, 1], vectors[:, 0]], -1)


def _maps(upper_left: Points, right: Points, down: Points) -> NDArray[np.float64]:
    """Maps with these axes that put the upper left pattern where it was found."""
    origin = upper_left - CORNER * (right + down)
    return np.stack([right, down, origin], -1)


def _pattern_score(maps: NDArray[np.float64], match: NDArray[np.float32]) -> NDArray[np.float32]:
    """Sum of the correlations at the three finder patterns of each map."""
    places = np.einsum("nij,cj->nci", maps[:, :, :2], _PATTERNS) + maps[:, None, :, 2]
    column, row = np.round(places).astype(np.intp).transpose(2, 0, 1)
    height, width = match.shape
    inside = (column >= 0) & (column < width) & (row >= 0) & (row < height)
    found = match[np.clip(row, 0, height - 1), np.clip(column, 0, width - 1)]
    return np.asarray(np.where(inside, found, 0.0).sum(1), np.float32)


def _best_per_cell(
    maps: NDArray[np.float64], correlation: NDArray[np.float64], module_px: float
) -> NDArray[np.float64]:
    """The best few maps in each cell of the picture."""
    order = np.argsort(-correlation, kind="stable")
    maps = maps[order[:_MOST_REFINED]]
    middles = middles_of(maps)
    cells = np.round(middles / (_CELL * module_px)).astype(np.int64)
    key = cells[:, 0] * 1_000_003 + cells[:, 1]
    by_cell = np.argsort(key, kind="stable")
    _, first, count = np.unique(key[by_cell], return_index=True, return_counts=True)
    rank = np.arange(len(key)) - np.repeat(first, count)
    return np.asarray(maps[by_cell[rank < _MOST_PER_CELL]])
