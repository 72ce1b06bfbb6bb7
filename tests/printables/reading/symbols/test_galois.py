"""The Galois field of QR error correction: values by hand, and the codewords of `qrcode`."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from printables.cards.codes import CardCode, encode, symbol
from printables.reading.symbols.codewords import CODEWORDS, DATA_CODEWORDS, placement
from printables.reading.symbols.galois import generator_matrix, inverse, multiply, solve

ELEMENTS = st.integers(0, 255)


def element(value):
    return np.array([value], np.uint8)


def slow_product(a, b):
    """The product by shifts and additions, as the standard defines it."""
    product = 0
    while b:
        if b & 1:
            product ^= a
        a = a << 1 ^ (0x11D if a & 0x80 else 0)
        b >>= 1
    return product


def test_products_by_hand():
    # x^7 * x = x^8 = x^4 + x^3 + x^2 + 1
    assert multiply(element(0x80), element(2))[0] == 0x1D
    assert multiply(element(0), element(77))[0] == 0


@given(ELEMENTS, ELEMENTS)
def test_products_are_those_of_polynomials(a, b):
    assert multiply(element(a), element(b))[0] == slow_product(a, b)


@given(st.integers(1, 255))
def test_a_number_times_its_reciprocal_is_one(a):
    assert multiply(element(a), inverse(element(a)))[0] == 1


def test_the_codewords_of_printed_symbols_are_in_the_span_of_the_generator():
    modules, mask = placement()
    for card in (1, 42, 99999):
        seen = symbol(encode(CardCode(3, card, 2, 1))).ravel()[modules]
        words = np.packbits(seen ^ mask.astype(bool))
        expected = np.zeros(CODEWORDS, np.uint8)
        for word, row in zip(
            words[:DATA_CODEWORDS], generator_matrix(DATA_CODEWORDS, CODEWORDS), strict=True
        ):
            expected ^= multiply(np.full(CODEWORDS, word, np.uint8), row)
        assert (expected == words).all()


@given(st.integers(0, 2**32 - 1))
def test_solve_inverts_a_multiplication(seed):
    rng = np.random.default_rng(seed)
    generator = generator_matrix(DATA_CODEWORDS, CODEWORDS)
    message = rng.integers(0, 256, (3, DATA_CODEWORDS), dtype=np.uint8)
    chosen = np.stack([rng.permutation(CODEWORDS)[:DATA_CODEWORDS] for _ in range(3)])
    matrices = generator[:, chosen].transpose(1, 0, 2)
    sides = np.zeros((3, DATA_CODEWORDS), np.uint8)
    for word in range(DATA_CODEWORDS):
        sides ^= multiply(message[:, word : word + 1], matrices[:, word])
    assert (solve(matrices, sides) == message).all()
