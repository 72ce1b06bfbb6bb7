"""The first look at a photo: what is decoded, and the scale of the search."""

import io

import cv2
import numpy as np
import pytest
from PIL import Image

from printables.cards.codes import CardCode, encode
from printables.reading.photos import first_look as photos
from printables.reading.photos.first_look import first_look, load_and_look, look_closely
from printables.reading.photos.photo import load_grey
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


def halved(grey):
    """A picture at half its size."""
    return load_grey(grey, reduction=2)


def test_cards_of_a_known_deck_are_decoded_in_a_small_version():
    grey, truth = table(5, 5, 200, 6)
    found, view = first_look(halved(grey), truth).of_photo(grey)
    assert len(found) == 25
    for symbol in found:
        assert np.abs(symbol.corners - truth[symbol.code]).max() < 10
    assert view.known and np.isclose(view.scale, 1.7 / 6, rtol=0.05)


def test_the_photo_itself_is_decoded_if_a_small_version_shows_few_of_the_deck():
    grey, truth = table(5, 5, 200, 6)
    small = halved(grey)
    others = [f"{n}" for n in range(27)]
    assert first_look(small, [*truth, *others[:25]]) is not None
    # less than half of the deck
    assert first_look(small, [*truth, *others]) is None
    assert first_look(small, others) is None
    # a small deck among other cards
    assert first_look(small, list(truth)[:10]) is None
    assert first_look(np.ascontiguousarray(small[:, ::-1]), truth) is None
    height, width = small.shape
    small[height // 3 : -height // 3, width // 3 : -width // 3] = 235
    assert first_look(small, truth) is None


@pytest.mark.parametrize("orientation", [1, 3, 6, 8])
@pytest.mark.parametrize("size", [(1600, 1600), (1601, 1603)])
def test_codes_are_where_the_photo_shows_them_in_every_orientation(orientation, size):
    grey, truth = table(5, 5, 320, 9)
    grey = cv2.copyMakeBorder(grey, 0, size[1] - 1600, 0, size[0] - 1600, cv2.BORDER_REPLICATE)
    turns = {1: 0, 3: 2, 6: 1, 8: 3}[orientation]
    exif = Image.Exif()
    exif[0x0112] = orientation
    content = io.BytesIO()
    # so turned, the file is upright again
    Image.fromarray(np.rot90(grey, turns)).save(content, "JPEG", exif=exif, quality=95)
    upright, look = load_and_look(content.getvalue(), truth, 10**8, "the photo")
    assert upright.shape == grey.shape
    found, _ = look.of_photo(upright)
    assert len(found) == 25
    away = [symbol.corners.mean(0) - truth[symbol.code].mean(0) for symbol in found]
    # zxing-cpp counts from the corner of the first pixel, and an odd row or column is lost
    assert np.abs(np.median(away, axis=0) - 0.5).max() < 0.6


def test_a_squeezed_small_version_is_left_out(monkeypatch):
    grey, truth = table(5, 5, 200, 6)
    squeezed = cv2.resize(halved(grey), (500, 400))
    monkeypatch.setattr(
        photos, "load_grey", lambda *_, reduction=1: squeezed if reduction == 2 else grey
    )
    assert photos.first_look(squeezed, truth) is not None
    assert load_and_look(b"", truth, 10**8, "the photo") == (grey, None)


def test_the_search_is_for_smaller_symbols_if_only_large_ones_are_decoded():
    grey, truth = table(5, 5, 200, 6, noise=3)
    codes = [*truth, *(f"{n}" for n in range(6))]
    usual, look = (first_look(halved(grey), some) for some in (truth, codes))
    assert len(look.found) == 25
    sides = np.sort([np.linalg.norm(one.corners[0] - one.corners[2]) for one in look.found])
    assert look.side == pytest.approx(np.quantile(np.append(np.zeros(6), sides), 0.25) / 2**0.5)
    assert look.side < usual.side


def test_of_many_known_cards_only_those_in_the_middle_are_decoded():
    grey, truth = table(12, 12, 90, 3)
    found, view = look_closely(grey, truth).of_photo(grey)
    assert len(found) == 16
    for symbol in found:
        # all of the symbol is in the central ninth, and its corners are where it is in the photo
        assert (truth[symbol.code] > 359).all() and (truth[symbol.code] < 721).all()
        assert np.abs(symbol.corners - truth[symbol.code]).max() < 6
    assert view.known and np.isclose(view.scale, 1.7 / 3, rtol=0.05)


def test_all_cards_are_decoded_if_the_deck_is_unknown_or_the_middle_shows_few_of_it():
    grey, truth = table(9, 9, 110, 3)
    assert decoded(grey, ()) == set(truth)
    grey, truth = table(5, 5, 110, 3)
    assert decoded(grey, truth) == set(truth)
    grey, truth = table(12, 12, 90, 3)
    # a picture of another deck's cards lies in the middle
    assert decoded(grey, ["1"]) == set(truth)
    # mirrored symbols can only be decoded
    mirrored = np.ascontiguousarray(grey[:, ::-1])
    assert decoded(mirrored, truth) == set(truth)
    grey[360:720, 360:720] = 235
    assert len(decoded(grey, truth)) == len(decoded(grey, ()))


def decoded(grey, codes):
    """The codes that a close look at a picture decodes, given the deck's."""
    return {symbol.code for symbol in look_closely(grey, codes).found}


def test_the_scale_is_that_of_many_symbols_that_are_seen_but_cannot_be_decoded():
    grey, truth = table(12, 12, 90, 3, blur_px=2.6, noise=4)
    found, view = look_closely(grey, truth).of_photo(grey)
    assert not found
    assert view.known and np.isclose(view.scale, 1.7 / 3, rtol=0.1)
    # an unknown deck is searched at the scale of the photo
    assert look_closely(grey, ()).of_photo(grey)[1].scale == 1
