"""Places in a photo with as much detail as symbols have."""

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from printables.reading.symbols.search import View

_DETAIL_PX, _AROUND_PX = 5, 11
"""Sides of two boxes in the view: the mean of the smaller is subtracted from each pixel, and
absolute differences are averaged over the larger, which is about six modules. Not varied in any
measurement."""
_LEAST_BUSY, _NEAREST = 0.8, 8
"""Least detail of a place, as a share of that of symbols, and of how many nearest symbols the
median is taken. In 12 careless photos by another simulator as many cards are read at .6, which
takes half as long again, and four fewer of 2,040 at 1.0. The second was not varied in any
measurement."""


def busy_places(
    view: View, places: NDArray[np.float64], symbols: NDArray[np.float64]
) -> NDArray[np.bool_]:
    """Find which places have nearly as much detail as the symbols nearest to them.

    Parameters
    ----------
    view : View
    places : float array, shape (places, 2)
        Pixels of the photo.
    symbols : float array, shape (symbols, 2)
        Centres of symbols that were read, pixels of the photo; at least one.

    Returns
    -------
    bool array, shape (places,)
        False outside the photo.
    """
    grey = view.grey
    detail = cv2.absdiff(grey, cv2.blur(grey, (_DETAIL_PX, _DETAIL_PX)))
    detail = cv2.blur(detail, (_AROUND_PX, _AROUND_PX))
    usual, seen = (_values(detail, view.from_photo(at)) for at in (symbols, places))
    busy = seen >= _LEAST_BUSY * usual.min()
    # the nearest symbols are looked up for few places only
    count = min(_NEAREST, len(symbols))
    _, near = cKDTree(symbols).query(places[busy], count)
    near = near.reshape(-1, count)
    busy[busy] = seen[busy] >= _LEAST_BUSY * np.median(usual[near], axis=1)
    return busy


def _values(picture: cv2.typing.MatLike, places: NDArray[np.float64]) -> NDArray[np.float64]:
    """Values at the nearest pixels; -1 outside the picture."""
    column, row = np.round(places).astype(np.intp).T
    height, width = picture.shape
    inside = (row >= 0) & (row < height) & (column >= 0) & (column < width)
    values = np.full(len(places), -1.0)
    values[inside] = picture[row[inside], column[inside]]
    return values
