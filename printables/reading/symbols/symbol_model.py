"""The modules common to all card symbols, and symbols as blurred by a lens.

All our symbols are QR version 1, level H, mask 3, digits only: finder patterns, timing, format bits
and the quiet zone are the same on every card. That is enough to locate a symbol to a fraction of a
module before it is read. Positions on a symbol are in modules from its upper left corner; each
module is sampled four times, at its quarter points.

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
PER_MODULE = 2
SPAN = (MODULES + 2 * BORDER) * PER_MODULE

UNKNOWN = 0.5
"""Value of modules that differ between codes."""


@lru_cache(maxsize=1)
def common_modules() -> NDArray[np.float32]:
    """Modules common to all codes: 1 dark, 0 light, 0.5 where codes differ; shape (21, 21)."""
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
    """Places of the samples, in modules, shape (SPAN * SPAN, 2), row by row, x before y."""
    along = (np.arange(SPAN) + 0.5) / PER_MODULE - BORDER
    y, x = np.meshgrid(along, along, indexing="ij")
    return np.stack([x.ravel(), y.ravel()], -1).astype(np.float32)


def seen_through(modules: NDArray[np.float32], blur: float) -> NDArray[np.float32]:
    """Blur symbols as a lens does, and sample them on `grid`.

    Parameters
    ----------
    modules : float array, shape (..., 21, 21)
        1 dark, 0 light.
    blur : float
        Standard deviation of the blur of lens and sensor, in modules.

    Returns
    -------
    float array, shape (..., SPAN * SPAN)
        1 dark, 0 light.
    """
    rows = spread(blur)
    return np.asarray(
        (rows @ modules @ rows.T).reshape(*modules.shape[:-2], SPAN * SPAN), np.float32
    )


@lru_cache(maxsize=16)
def spread(blur: float) -> NDArray[np.float32]:
    """Weight of each module in each sample of a row, shape (SPAN, MODULES)."""
    fine = 16
    rows = np.kron(np.eye(MODULES, dtype=np.float32), np.ones((1, fine), np.float32))
    padded = np.pad(rows, ((0, 0), (4 * fine, 4 * fine)))
    soft = gaussian_filter1d(padded, max(blur, 0.05) * fine, axis=1)
    at = ((np.arange(SPAN) + 0.5) / PER_MODULE - BORDER + 4) * fine
    return np.ascontiguousarray((soft[:, at.astype(int)] + soft[:, at.astype(int) - 1]).T / 2)


@lru_cache(maxsize=1)
def common_samples() -> NDArray[np.bool_]:
    """Samples in modules common to all codes, including the quiet zone."""
    modules = np.pad(common_modules() != UNKNOWN, BORDER, constant_values=True)
    return np.repeat(np.repeat(modules, PER_MODULE, 0), PER_MODULE, 1).ravel()


@lru_cache(maxsize=1)
def on_symbol() -> NDArray[np.bool_]:
    """Samples outside the quiet zone, which may be cut off or covered."""
    modules = np.pad(np.ones((MODULES, MODULES), bool), BORDER)
    return np.repeat(np.repeat(modules, PER_MODULE, 0), PER_MODULE, 1).ravel()
