"""Symbols found by their finder patterns, which need no white rim around the symbol.

A finder pattern looks nearly the same from every side, so one round kernel finds it however the
symbol is turned, where the size of a module is known. On a table seen from above every symbol has
one size (`printables.tabletop.top_view`). Two or three patterns at the distances that a symbol
gives them say where it may lie; the modules that all symbols share say whether it does.

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

from printables.cards.codes import MODULES
from printables.reading.symbols.pose import Poses, refine_poses, rough_likeness

_FLAT = 16.0
_LEAST_MATCH = 0.20
_LEAST_THREE = 0.75
_CELL = 6.0
_HOPES = 12
_A_PLACE = 2
_OWN = 0.55
_ARM = 14.0
_STRETCH = 0.13
_BEND_DEG = 13.0
_FIRST_LOOK = 0.15
_CORNER = 3.5
_PATTERNS = np.array([[3.5, 3.5], [17.5, 3.5], [3.5, 17.5]])

Points = NDArray[np.float64]


def find_symbols(
    grey: NDArray[np.uint8], module_px: float, known: Points | None = None
) -> Poses:
    """Poses of what is like a symbol, in a picture where modules are of one size.

    Parameters
    ----------
    grey : uint8 array, shape (height, width)
    module_px : float
        Size of a module, pixels; 1.5 to 2.5 serve best.
    known : float array, shape (symbols, 4, 2), optional
        Corners of symbols that need not be found.

    Returns
    -------
    Poses
        Several may lie on one symbol.
    """
    peaks, match = finder_peaks(grey, module_px)
    if known is not None and len(known) and len(peaks):
        reach = _OWN * MODULES * module_px
        far = cKDTree(known.mean(1)).query(peaks, distance_upper_bound=reach)[0] > reach
        peaks = peaks[far]
    maps = _hypotheses(peaks, module_px)
    three = _three_patterns(maps, match)
    maps = _best_apart(maps[three >= _LEAST_THREE], three[three >= _LEAST_THREE], module_px, _HOPES)
    alike = rough_likeness(grey, maps)
    likely = alike >= _FIRST_LOOK
    return refine_poses(grey, _best_apart(maps[likely], alike[likely], module_px, _A_PLACE))


def finder_peaks(
    grey: NDArray[np.uint8], module_px: float
) -> tuple[Points, NDArray[np.float32]]:
    """Middles of what looks like a finder pattern, and how like one the best nearby is.

    Returns
    -------
    peaks : float array, shape (peaks, 2)
        Pixels, x before y.
    match : float array, shape (height, width)
        Highest correlation within a module and a half, in [-1, 1].
    """
    kernel = _kernel(round(module_px, 1))
    match = cv2.filter2D(grey, cv2.CV_32F, kernel, borderType=cv2.BORDER_REPLICATE)
    size = kernel.shape
    mean = cv2.boxFilter(grey, cv2.CV_32F, size)
    square = cv2.sqrBoxFilter(grey, cv2.CV_32F, size)
    cv2.multiply(mean, mean, mean)
    cv2.subtract(square, mean, square)
    spread = cv2.sqrt(cv2.max(square, _FLAT))
    match = cv2.divide(match, spread)
    around = np.ones((int(3 * module_px) | 1,) * 2, np.uint8)
    highest = cv2.dilate(match, around)
    row, column = np.nonzero((match >= highest) & (match >= _LEAST_MATCH))
    return np.stack([column, row], -1).astype(float), np.asarray(highest, np.float32)


@lru_cache(maxsize=16)
def _kernel(module_px: float) -> NDArray[np.float32]:
    """A finder pattern with its separator, averaged over all turns; dark is positive.

    Scaled so that the sum of products with a patch, over the patch's spread, is its correlation.
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


def _hypotheses(peaks: Points, module_px: float) -> NDArray[np.float64]:
    """Maps, shape (n, 2, 3), from modules to pixels that put patterns on two of the peaks."""
    if len(peaks) < 2:
        return np.zeros((0, 2, 3))
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
    first = _maps(start, along, _turned(along))
    second = _maps(start, -_turned(along), along)
    # from upper right to lower left
    start, end = peaks[diagonals[:, 0]], peaks[diagonals[:, 1]]
    across = (end - start) / _ARM
    down = (across + -_turned(across)) / 2
    right = -_turned(down)
    third = _maps(start - _ARM * right, right, down)
    return np.concatenate([first, second, third])


def _turned(vectors: Points) -> Points:
    """A quarter turn clockwise as the picture shows it: right becomes down."""
    return np.stack([-vectors[:, 1], vectors[:, 0]], -1)


def _maps(upper_left: Points, right: Points, down: Points) -> NDArray[np.float64]:
    """Maps that put the upper left pattern's middle where it was seen."""
    origin = upper_left - _CORNER * (right + down)
    return np.stack([right, down, origin], -1)


def _three_patterns(maps: NDArray[np.float64], match: NDArray[np.float32]) -> NDArray[np.float32]:
    """Sum of the correlations where each map puts its three finder patterns."""
    places = np.einsum("nij,cj->nci", maps[:, :, :2], _PATTERNS) + maps[:, None, :, 2]
    column, row = np.round(places).astype(np.intp).transpose(2, 0, 1)
    height, width = match.shape
    inside = (column >= 0) & (column < width) & (row >= 0) & (row < height)
    found = match[np.clip(row, 0, height - 1), np.clip(column, 0, width - 1)]
    return np.asarray(np.where(inside, found, 0.0).sum(1), np.float32)


def _best_apart(
    maps: NDArray[np.float64], score: NDArray[np.floating], module_px: float, at_most: int
) -> NDArray[np.float64]:
    """The best few maps of every place."""
    order = np.argsort(-score, kind="stable")
    maps = maps[order]
    middles = maps[:, :, :2].sum(2) * (MODULES / 2) + maps[:, :, 2]
    cells = np.round(middles / (_CELL * module_px)).astype(np.int64)
    key = cells[:, 0] * 1_000_003 + cells[:, 1]
    by_cell = np.argsort(key, kind="stable")
    _, first, count = np.unique(key[by_cell], return_index=True, return_counts=True)
    rank = np.arange(len(key)) - np.repeat(first, count)
    return np.asarray(maps[by_cell[rank < at_most]])
