"""Decoding from grey levels, with symbols drawn by `qrcode`."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from printables.cards.codes import CardCode, encode
from printables.reading.symbols.codewords import decode_grids, placement
from printables.reading.symbols.pose import Poses
from tests.printables.pictures_of_symbols import picture, placed


def read(code, module_px, blur_modules, noise=2.0):
    true = placed(40, 40, module_px, 17)
    seen = picture([(code, true)], (80, 80), blur_modules * module_px, noise)
    return decode_grids(seen, Poses(true[None], np.ones(1)))[0]


def test_placement_starts_in_the_lower_right_corner():
    modules, mask = placement()
    assert len(modules) == len(set(modules.tolist())) == 208
    # ISO/IEC 18004, figure 19: two columns wide, upwards, right before left
    assert modules[:4].tolist() == [440, 439, 419, 418]
    # mask 3: (row + column) mod 3 = 0
    assert mask[:2].tolist() == [(20 + 20) % 3 == 0, (20 + 19) % 3 == 0]


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 9999), st.integers(1, 99999), st.integers(1, 99), st.integers(0, 9))
def test_every_code_is_read_at_less_than_two_pixels_per_module(set_number, card, deck, edition):
    code = encode(CardCode(set_number, card, deck, edition))
    assert read(code, 1.7, 0.5) == code


@pytest.mark.parametrize("blur", [0.3, 0.5, 0.7])
def test_a_blur_of_most_of_a_module_is_inverted(blur):
    code = encode(CardCode(12, 345, 1, 1))
    assert read(code, 3.0, blur) == code


def test_an_unreadable_symbol_gives_no_code():
    assert read(encode(CardCode(12, 345, 1, 1)), 1.0, 1.6, noise=20) is None


def test_noise_gives_no_code():
    noise = np.random.default_rng(1).integers(0, 256, (200, 200)).astype(np.uint8)
    maps = np.stack([placed(x, y, 2.0) for x in range(40, 160, 6) for y in range(40, 160, 6)])
    assert decode_grids(noise, Poses(maps, np.ones(len(maps)))) == [None] * len(maps)
