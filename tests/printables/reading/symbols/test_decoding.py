"""Decoding with zxing-cpp: symbols seen from close by, and mirror images."""

import numpy as np
import pytest

from printables.cards.codes import CardCode, encode
from printables.reading.symbols import decoding
from printables.reading.symbols.decoding import (
    are_mirror_images,
    decode_frame,
    right_way_round,
)
from tests.printables.pictures_of_symbols import corners_of, picture, placed

CODE = encode(CardCode(set_number=3, card=7, deck=1, edition=0))


def test_a_noisy_symbol_seen_from_close_by_is_found_at_a_third_of_the_size():
    place = placed(450, 450, 30, 17)
    (found,) = decode_frame(picture([(CODE, place)], (900, 900), 9, 6))
    assert found.code == CODE
    assert np.abs(found.corners - corners_of(place[None])[0]).max() < 20


def mirrored_in(grey, left):
    """A picture of which all beyond a column is mirrored, where it stands."""
    turned = grey.copy()
    turned[:, left:] = grey[:, left:][:, ::-1]
    return turned


def test_a_mirrored_symbol_beside_others_is_none_unless_the_photo_is_mirrored():
    codes = [encode(CardCode(set_number=3, card=n, deck=1, edition=0)) for n in (1, 2, 3)]
    grey = picture(
        [(code, placed(100 + 200 * n, 100, 5, 8 * n)) for n, code in enumerate(codes)],
        (600, 200),
        0.8,
        3,
    )
    one = mirrored_in(grey, 400)
    found = decode_frame(one)
    assert {symbol.code for symbol in found} == set(codes)
    assert {symbol.code for symbol in right_way_round(one, found)} == set(codes[:2])
    all_of_them = np.ascontiguousarray(grey[:, ::-1])
    found = decode_frame(all_of_them)
    assert right_way_round(all_of_them, found) == found != []
    assert right_way_round(grey, []) == []


@pytest.mark.parametrize("blur", [0.5, 2.0])
def test_a_mirror_image_is_known_by_its_format_bits(blur):
    # mirrored along the diagonal, the finder patterns are where they should be
    place = placed(60, 60, 3, 20)
    swapped = place[:, [1, 0, 2]]
    grey = picture([(CODE, place)], (120, 120), blur, 3)
    assert are_mirror_images(grey, np.array([place, swapped])).tolist() == [False, True]
    # where something covers the bits, nothing is known
    assert not are_mirror_images(np.full_like(grey, 200), np.array([swapped])).any()


def test_no_symbol_has_no_corners():
    assert decoding.corners_of([]).shape == (0, 4, 2)
