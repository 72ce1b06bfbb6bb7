"""The modules common to all card symbols, and how a blurred symbol looks.

All our symbols are QR Code version 1, error correction level H, mask 3, numeric mode: finder
patterns, timing patterns, format information and the quiet zone are the same on every card. That is
enough to locate a symbol to a fraction of a module before it is read. Positions on a symbol are in
modules from its upper left corner; each module is sampled at four points.

References
----------
ISO/IEC 18004:2015, QR Code, figures 5 and 25, table 9 (codewords of version 1-H) and annex C
(format information).
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from printables.cards.codes import MODULES, CardCode, encode, symbol

BORDER = 1
"""Modules of the quiet zone that are sampled."""
PER_MODULE = 2
"""Samples per module, along each axis."""
SPAN = (MODULES + 2 * BORDER) * PER_MODULE
"""Samples along each axis."""

UNKNOWN = 0.5
"""Value of modules that differ between codes."""


@lru_cache(maxsize=1)
def common_modules() -> NDArray[np.float32]:
    """The modules common to all codes, shape (21, 21): 1 dark, 0 light, 0.5 where codes differ."""
    shared = np.full((MODULES, MODULES), UNKNOWN, np.float32)
    pattern = symbol(encode(CardCode(set_number=1, card=1, deck=1, edition=0))).astype(np.float32)
    fixed = np.zeros((MODULES, MODULES), bool)
    # finder patterns with their separators and, beside them, the format bits
    fixed[:9, :9] = fixed[:9, -8:] = fixed[-8:, :9] = True
    fixed[6, :] = fixed[:, 6] = True
    shared[fixed] = pattern[fixed]
    return shared


@lru_cache(maxsize=1)
def grid() -> NDArray[np.float32]:
    """Points at which symbols are sampled, shape (SPAN * SPAN, 2), row by row, in modules."""
    along = (np.arange(SPAN) + 0.5) / PER_MODULE - BORDER
    y, x = np.meshgrid(along, along, indexing="ij")
    return np.stack([x.ravel(), y.ravel()], -1).astype(np.float32)


def blurred_samples(modules: NDArray[np.float32], blur: float) -> NDArray[np.float32]:
    """Blur symbols with a Gaussian, as lens and sensor do approximately, and sample them on `grid`.

    Parameters
    ----------
    modules : float array, shape (..., 21, 21)
        1 dark, 0 light.
    blur : float
        Standard deviation, in modules.

    Returns
    -------
    float array, shape (..., SPAN * SPAN)
        1 dark, 0 light.
    """
    rows = blur_weights(blur)
    return np.asarray(
        (rows @ modules @ rows.T).reshape(*modules.shape[:-2], SPAN * SPAN), np.float32
    )


@lru_cache(maxsize=16)
def blur_weights(blur: float) -> NDArray[np.float32]:
    """Weight of each module in each sample along one axis, shape (SPAN, MODULES)."""
    fine = 16
    rows = np.kron(np.eye(MODULES, dtype=np.float32), np.ones((1, fine), np.float32))
    padded = np.pad(rows, ((0, 0), (4 * fine, 4 * fine)))
    soft = gaussian_filter1d(padded, max(blur, 0.05) * fine, axis=1)
    at = ((np.arange(SPAN) + 0.5) / PER_MODULE - BORDER + 4) * fine
    return np.ascontiguousarray((soft[:, at.astype(int)] + soft[:, at.astype(int) - 1]).T / 2)


@lru_cache(maxsize=1)
def common_samples() -> NDArray[np.bool_]:
    """Which samples are in modules common to all codes or in the quiet zone, shape (SPAN *
    SPAN,)."""
    modules = np.pad(common_modules() != UNKNOWN, BORDER, constant_values=True)
    return np.repeat(np.repeat(modules, PER_MODULE, 0), PER_MODULE, 1).ravel()


@lru_cache(maxsize=1)
def inside_symbol() -> NDArray[np.bool_]:
    """Which samples are not in the quiet zone, which may be cut off, shape (SPAN * SPAN,)."""
    modules = np.pad(np.ones((MODULES, MODULES), bool), BORDER)
    return np.repeat(np.repeat(modules, PER_MODULE, 0), PER_MODULE, 1).ravel()
