"""Decoding with zxing-cpp: symbols seen from close by."""

import numpy as np

from printables.cards.codes import CardCode, encode
from printables.reading.symbols.decoding import decode_frame
from tests.printables.pictures_of_symbols import corners_of, picture, placed

CODE = encode(CardCode(set_number=3, card=7, deck=1, edition=0))


def test_a_noisy_symbol_seen_from_close_by_is_found_at_a_third_of_the_size():
    place = placed(450, 450, 30, 17)
    (found,) = decode_frame(picture([(CODE, place)], (900, 900), 9, 6))
    assert found.code == CODE
    assert np.abs(found.corners - corners_of(place[None])[0]).max() < 20
