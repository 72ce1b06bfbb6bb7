"""Whether a photo shows everything twice, shifted: the phone moved between two exposures.

Night modes and high dynamic range merge several exposures. If the phone moves between them, the
autocorrelation of every part of the photo has a peak at the shift, besides the one at 0. Symbols,
text and cloths have such peaks as well, but each at another place, or in some parts only.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

_SIDE, _PARTS, _FEWEST_SYMBOLS = 256, 9, 3
"""Side of the parts that are examined, in pixels; about how many; and fewest symbols around which
they are. Without these, the parts with most detail are examined."""
_COARSE = 4
"""Reduction of the photo in which detail is searched for. Only saves time."""
_NEAREST, _FARTHEST = 5, 60
"""Least and greatest shift that is recognised, in pixels; twice the greatest is within a part. At
100, two of 60 patterned cloths are mistaken for two exposures, now one."""
_EDGES_PX, _MOST_CONTRAST = 3.0, 30
"""Standard deviation of the blur that is subtracted, in pixels, and greatest difference from it, so
that a few strong edges do not outweigh the others."""
_SMOOTHING_PX = 0.7
_RING = np.hypot(*np.mgrid[-3:4, -3:4])
_AROUND = ((_RING > 2.4) & (_RING < 3.6)).astype(np.uint8)
"""A peak is higher than all places at this distance; an edge makes a ridge."""
_PERIODIC = 0.4
"""Least height of a peak at twice the shift, of that at the shift, for a pattern to repeat."""
_LEAST_PEAK, _LEAST_PARTS, _FEWEST_ALIKE = 0.2, 0.6, 4
"""Least height of a peak, of that at 0; and least share and number of parts with a peak at the same
shift. With these, 30 of 30 photos of all levels and tables that were shifted by 7 to 58 pixels are
recognised by their symbols, and 29 without; of 283 others, one is mistaken for one, whose cloth is
checked."""
_ALIKE_PX, _ALIKE = 3.0, 0.15
"""Difference of shifts that count as the same, in pixels, and of their length besides: the phone
also turns."""

Grey = NDArray[np.uint8]


def is_double_exposure(grey: Grey, symbols: NDArray[np.float64]) -> bool:
    """Test whether a photo shows everything twice, shifted.

    Parameters
    ----------
    grey : uint8 array, shape (height, width)
    symbols : float array, shape (symbols, 4, 2)
        Corners of the symbols in the photo, read or not, pixels.

    Returns
    -------
    bool
    """
    if min(grey.shape) < _SIDE:
        return False
    if len(symbols) < _FEWEST_SYMBOLS:
        middles = _detailed(grey)
    else:
        middles = symbols[:: max(len(symbols) // _PARTS, 1)].mean(1)
    most = np.array(grey.shape)[::-1] - _SIDE
    starts = np.clip(middles - _SIDE / 2, 0, most).astype(int).tolist()
    peaks = [_peak(grey[y : y + _SIDE, x : x + _SIDE]) for x, y in starts]
    shifts = np.array([shift for shift, height in peaks if height >= _LEAST_PEAK]).reshape(-1, 2)
    if not len(shifts):
        return False
    apart = np.linalg.norm(shifts[:, None] - shifts, axis=2)
    # a shift and its opposite are one
    apart = np.minimum(apart, np.linalg.norm(shifts[:, None] + shifts, axis=2))
    alike = apart <= _ALIKE_PX + _ALIKE * np.linalg.norm(shifts, axis=1)
    return bool(alike.sum(1).max() >= max(_LEAST_PARTS * len(peaks), _FEWEST_ALIKE))


def _detailed(grey: Grey) -> NDArray[np.float64]:
    """Middles of the parts of a photo with most detail, x before y."""
    small = cv2.resize(grey, None, fx=1 / _COARSE, fy=1 / _COARSE, interpolation=cv2.INTER_AREA)
    corners = np.sqrt(np.maximum(cv2.cornerMinEigenVal(small, 5), 0))
    rows, columns = (max(2 * side // _SIDE, 2) for side in grey.shape)
    detail = cv2.resize(corners, (columns, rows), interpolation=cv2.INTER_AREA)
    best = np.argsort(-detail.ravel(), kind="stable")[:_PARTS]
    row, column = np.unravel_index(best, detail.shape)
    cell = np.array(grey.shape)[::-1] / [columns, rows]
    return np.asarray((np.stack([column, row], axis=1) + 0.5) * cell)


def _peak(part: Grey) -> tuple[NDArray[np.intp], float]:
    """Shift, x before y, and height of the highest peak of a part's autocorrelation; 0 if it is
    that of a pattern."""
    seen = part.astype(np.float32)
    edges = seen - cv2.GaussianBlur(seen, (0, 0), _EDGES_PX)
    edges = np.clip(edges, -_MOST_CONTRAST, _MOST_CONTRAST)
    window = np.hanning(_SIDE).astype(np.float32)
    spectrum = cv2.dft(edges * window * window[:, None], flags=cv2.DFT_COMPLEX_OUTPUT)
    power = np.square(spectrum).sum(2)
    found = np.fft.fftshift(np.fft.ifft2(power).real.astype(np.float32))
    smooth = cv2.GaussianBlur(found, (0, 0), _SMOOTHING_PX)
    above = smooth - cv2.dilate(smooth, _AROUND)
    middle = _SIDE // 2
    y, x = np.mgrid[-middle:middle, -middle:middle]
    far = np.hypot(x, y)
    searched = (far > _NEAREST) & (far < _FARTHEST) & (y >= 0)
    best = np.unravel_index(np.where(searched, above, -np.inf).argmax(), above.shape)
    shift = np.array([x[best], y[best]])
    height = float(above[best] / max(above[middle, middle], 1e-6))
    column, row = middle + 2 * shift
    repeated = above[row - 2 : row + 3, column - 2 : column + 3].max() > _PERIODIC * above[best]
    return shift, 0.0 if repeated else height
