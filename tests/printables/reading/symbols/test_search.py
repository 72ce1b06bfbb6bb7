"""The first look at a photo: what is decoded, and the scale of the search."""

import numpy as np

from printables.cards.codes import CardCode, encode
from printables.reading.symbols.decoding import corners_of
from printables.reading.symbols.search import first_look
from tests.printables import pictures_of_symbols as pictures


def table(columns, rows, pitch, module_px, **sharpness):
    """A photo with rows of symbols, and the corners of each by its code."""
    codes = [
        encode(CardCode(set_number=1, card=card, deck=1, edition=0))
        for card in range(1, columns * rows + 1)
    ]
    column, row = np.indices((columns, rows)).reshape(2, -1)
    maps = [
        pictures.placed(pitch * (x + 0.5), pitch * (y + 0.5), module_px, 5 * x + 7 * y)
        for x, y in zip(column, row, strict=True)
    ]
    shown = list(zip(codes, maps, strict=True))
    grey = pictures.picture(shown, (pitch * columns, pitch * rows), **sharpness)
    return grey, dict(zip(codes, pictures.corners_of(maps), strict=True))


def test_of_many_known_cards_only_those_in_the_middle_are_decoded():
    grey, truth = table(12, 12, 90, 3)
    found, view = first_look(grey, True)
    assert len(found) == 16
    for symbol in found:
        # all of the symbol is in the central ninth, and its corners are where it is in the photo
        assert (truth[symbol.code] > 359).all() and (truth[symbol.code] < 721).all()
        assert np.abs(symbol.corners - truth[symbol.code]).max() < 6
    assert view.known and np.isclose(view.scale, 1.7 / 3, rtol=0.05)


def test_all_cards_are_decoded_if_the_deck_is_unknown_or_the_middle_shows_few():
    grey, truth = table(9, 9, 110, 3)
    assert {symbol.code for symbol in first_look(grey, False)[0]} == set(truth)
    grey, truth = table(5, 5, 110, 3)
    assert {symbol.code for symbol in first_look(grey, True)[0]} == set(truth)
    grey, truth = table(12, 12, 90, 3)
    # mirrored symbols cannot be recognised, but decoded
    mirrored = np.ascontiguousarray(grey[:, ::-1])
    assert {symbol.code for symbol in first_look(mirrored, True)[0]} == set(truth)
    grey[360:720, 360:720] = 235
    assert len(first_look(grey, True)[0]) == len(first_look(grey, False)[0])


def test_the_scale_is_that_of_many_symbols_that_are_seen_but_cannot_be_decoded():
    grey, _ = table(12, 12, 90, 3, blur_px=2.6, noise=4)
    found, view = first_look(grey, True)
    assert not found
    assert view.known and np.isclose(view.scale, 1.7 / 3, rtol=0.1)
    # an unknown deck is searched at the scale of the photo
    assert first_look(grey, False)[1].scale == 1


def test_no_symbol_has_no_corners():
    assert corners_of([]).shape == (0, 4, 2)
