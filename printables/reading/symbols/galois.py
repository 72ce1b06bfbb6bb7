"""Arithmetic on arrays in the Galois field GF(256) of QR error correction.

References
----------
ISO/IEC 18004:2015, 7.5.2: the field modulo x^8 + x^4 + x^3 + x^2 + 1, with primitive element 2.
"""

import numpy as np
from numpy.typing import NDArray

Field = NDArray[np.uint8]


def _tables() -> tuple[NDArray[np.uint8], NDArray[np.int16]]:
    """Powers of the primitive element, twice in a row, and their logarithms."""
    power = np.zeros(512, np.uint8)
    log = np.zeros(256, np.int16)
    value = 1
    for exponent in range(255):
        power[exponent] = power[exponent + 255] = value
        log[value] = exponent
        value = value << 1 ^ (0x11D if value & 0x80 else 0)
    return power, log


_POWER, _LOG = _tables()


def multiply(a: Field, b: Field) -> Field:
    """Multiply elements; shapes are broadcast."""
    product = _POWER[_LOG[a] + _LOG[b]]
    return np.where((a == 0) | (b == 0), np.uint8(0), product)


def inverse(a: Field) -> Field:
    """Compute the reciprocals of elements; undefined for 0."""
    return _POWER[255 - _LOG[a]]


def generator_matrix(words: int, length: int) -> Field:
    """Compute the generator matrix of a systematic Reed-Solomon code.

    Parameters
    ----------
    words, length : int
        Number of data codewords, and of all codewords.

    Returns
    -------
    uint8 array, shape (words, length)
        Its rows span the code whose generator polynomial has the roots 2^0, 2^1, ...
    """
    checks = length - words
    factor = np.array([1], np.uint8)
    for exponent in range(checks):
        shifted = np.concatenate([factor, [np.uint8(0)]])
        shifted[1:] ^= multiply(factor, _POWER[exponent])
        factor = shifted
    rows = np.zeros((words, length), np.uint8)
    # the lower coefficients of the generator are the remainder of its highest power; the remainders
    # of higher powers follow by shifting
    remainder = factor[1:]
    for word in reversed(range(words)):
        rows[word, word] = 1
        rows[word, words:] = remainder
        shifted = np.concatenate([remainder[1:], [np.uint8(0)]])
        remainder = shifted ^ multiply(factor[1:], remainder[:1])
    return rows


def solve(matrices: Field, sides: Field) -> Field:
    """Solve x @ matrix = side for many non-singular matrices, by Gauss-Jordan elimination.

    Parameters
    ----------
    matrices : uint8 array, shape (n, k, k)
    sides : uint8 array, shape (n, k)

    Returns
    -------
    uint8 array, shape (n, k)
    """
    size = matrices.shape[1]
    rows = np.concatenate([matrices.transpose(0, 2, 1), sides[:, :, None]], 2)
    every = np.arange(len(rows))
    for column in range(size):
        pivot = column + (rows[:, column:, column] != 0).argmax(1)
        rows[every, column], rows[every, pivot] = (
            rows[every, pivot].copy(),
            rows[every, column].copy(),
        )
        leading = multiply(rows[:, column], inverse(rows[:, column, column])[:, None])
        rows ^= multiply(rows[:, :, column, None], leading[:, None, :])
        rows[:, column] = leading
    return rows[:, :, -1]
