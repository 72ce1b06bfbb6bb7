"""Soft-decision decoding of a symbol whose grid is known, from grey levels.

An ordinary decoder needs three pixels per module and little blur, since it first binarises each
module. Here the blur is inverted by regularised least squares, given the modules common to all our
symbols. This also gives the confidence of each codeword. A version 1-H symbol is a Reed-Solomon
word: any 9 of its 26 codewords determine the others. The 9 codewords with the highest confidence
are chosen (ordered-statistics decoding), and the symbol that they determine is accepted only if it
is a card code and agrees with the photo. No deck is needed.

References
----------
ISO/IEC 18004:2015, 7.4 (numeric mode), 7.5 (error correction), 7.7.3 (placement), 7.8 (masks).

Fossorier, M. P. C., & Lin, S. (1995). Soft-decision decoding of linear block codes based on ordered
statistics. IEEE Transactions on Information Theory, 41(5), 1379-1396.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from printables.cards.codes import DIGITS, MODULES, decode
from printables.errors import PaperError
from printables.reading.symbols.alignment import best_blur, refine_finely, symbol_darkness
from printables.reading.symbols.galois import generator_matrix, multiply, solve
from printables.reading.symbols.pose import Poses
from printables.reading.symbols.symbol_model import blur_weights, common_modules

DATA_CODEWORDS, CODEWORDS = 9, 26

_BLURS = (0.4, 0.5, 0.6, 0.7, 0.85, 1.0)
"""Blurs that are tried: standard deviations in modules. Chosen by trial; with a known deck no scene
tried differs with .6 alone."""
_NOISE = 0.005
"""Ridge of the least squares: variance of the noise relative to that of the modules. Chosen by
trial; no scene tried differs at .0005 or .05."""
_LEAST_AGREEMENT = 0.80
"""Least share of bits in which a decoded symbol agrees with the photo. Prevents false codes. Chosen
by trial; no scene tried differs at .6 or .95."""
_EXCHANGES = [(0, 0), *((out, back) for back in (9, 10, 11) for out in range(8, 0, -1))]
"""Attempts: the 9 codewords with the highest confidence, then with one of them exchanged for one of
the next three. Chosen by trial; no scene tried differs without exchanges."""
_HEADER = f"{0b0001:04b}{DIGITS:010b}"
_DATA_BITS = 10 * (DIGITS // 3) + (0, 4, 7)[DIGITS % 3]


def decode_grids(grey: NDArray[np.uint8], poses: Poses) -> list[str | None]:
    """Decode symbols by their poses.

    Parameters
    ----------
    grey : uint8 array, shape (height, width)
        The picture that the poses are in.
    poses : Poses

    Returns
    -------
    list of str or None
        The code of each pose; None if it could not be decoded.
    """
    codes: list[str | None] = [None] * len(poses)
    if not len(poses):
        return codes
    poses = refine_finely(grey, poses.maps)
    chosen = best_blur(grey, poses.maps, _BLURS, np.inf)
    for choice, blur in enumerate(_BLURS):
        (mine,) = np.nonzero(chosen == choice)
        bits = _bit_levels(symbol_darkness(grey, poses.maps[mine], blur), blur)
        for pose, code in zip(mine, _decode_bits(bits), strict=True):
            codes[pose] = code
    return codes


@lru_cache(maxsize=1)
def placement() -> tuple[NDArray[np.intp], NDArray[np.float32]]:
    """Placement of bits in the symbol (ISO/IEC 18004:2015, 7.7.3 and 7.8).

    Returns
    -------
    modules : int array, shape (208,)
        Module of each bit, row by row, in the order of the codewords.
    mask : float array, shape (208,)
        1 where mask 3 inverts the bit, 0 elsewhere.
    """
    free = common_modules() == 0.5
    order = []
    upwards = True
    for right in (20, 18, 16, 14, 12, 10, 8, 5, 3, 1):
        rows = range(MODULES - 1, -1, -1) if upwards else range(MODULES)
        order += [(row, right - side) for row in rows for side in (0, 1) if free[row, right - side]]
        upwards = not upwards
    row, column = np.array(order).T
    return row * MODULES + column, ((row + column) % 3 == 0).astype(np.float32)


@lru_cache(maxsize=len(_BLURS))
def _deconvolution(blur: float) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The matrix from samples to bits, and the contribution of the common modules to the
    samples."""
    rows = blur_weights(blur).astype(float)
    every = np.kron(rows, rows)
    modules, _ = placement()
    own = every[:, modules]
    shared = common_modules().ravel().astype(float).copy()
    shared[modules] = 0.5
    ridge = own.T @ own + _NOISE * np.eye(len(modules))
    return np.linalg.solve(ridge, own.T).astype(np.float32), (every @ shared).astype(np.float32)


def _bit_levels(darkness: NDArray[np.float32], blur: float) -> NDArray[np.float32]:
    """Unmasked bits of the codewords, above 0 for a one, shape (symbols, 208)."""
    inverse, shared = _deconvolution(blur)
    _, mask = placement()
    return np.asarray((darkness - shared) @ inverse.T * (1 - 2 * mask), np.float32)


def _decode_bits(levels: NDArray[np.float32]) -> list[str | None]:
    """The code of each symbol, or None."""
    codes: list[str | None] = [None] * len(levels)
    waiting = np.arange(len(levels))
    confidence = np.minimum(np.abs(levels.reshape(-1, CODEWORDS, 8)), 0.5)
    # the confidence of a codeword is that of its three least confident bits
    order = np.argsort(-np.sort(confidence, 2)[:, :, :3].sum(2), axis=1)
    hard = np.packbits(levels > 0, axis=1)
    for out, back in _EXCHANGES:
        chosen = order[waiting][:, :DATA_CODEWORDS].copy()
        if back:
            chosen[:, out] = order[waiting][:, back]
        words = _encode_from(hard[waiting], chosen)
        agreement = (np.unpackbits(words ^ hard[waiting], axis=1) == 0).mean(1)
        for place in np.flatnonzero(agreement >= _LEAST_AGREEMENT):
            codes[waiting[place]] = _parse(words[place])
        waiting = np.array([n for n in waiting if codes[n] is None], np.intp)
        if not len(waiting):
            break
    return codes


@lru_cache(maxsize=1)
def _generator() -> NDArray[np.uint8]:
    return generator_matrix(DATA_CODEWORDS, CODEWORDS)


def _encode_from(words: NDArray[np.uint8], chosen: NDArray[np.intp]) -> NDArray[np.uint8]:
    """The Reed-Solomon words that have the chosen codewords, shape (symbols, 26)."""
    parts = np.ascontiguousarray(_generator()[:, chosen].transpose(1, 0, 2))
    message = solve(parts, np.take_along_axis(words, chosen, 1))
    whole = np.zeros_like(words)
    for word in range(DATA_CODEWORDS):
        whole ^= multiply(message[:, word : word + 1], _generator()[word])
    return whole


def _parse(words: NDArray[np.uint8]) -> str | None:
    """The code in the codewords; None unless it is exactly 14 digits with correct check digits."""
    bits = "".join(f"{word:08b}" for word in words[:DATA_CODEWORDS])
    body, rest = bits[len(_HEADER) :][:_DATA_BITS], bits[len(_HEADER) + _DATA_BITS :]
    if not bits.startswith(_HEADER) or rest.strip("0"):
        return None
    parts = [(start, min(3, DIGITS - 3 * start)) for start in range((DIGITS + 2) // 3)]
    text = ""
    for start, digits in parts:
        number = str(int(body[10 * start :][: (0, 4, 7, 10)[digits]], 2))
        text += number.zfill(digits)
    try:
        decode(text)
    except PaperError:
        return None
    return text
