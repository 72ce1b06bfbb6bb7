"""HEIC photos, as iPhones store them, with the orientation both in its box and in EXIF.

`three_cards.heic` is a rendered photo of cards 1 to 3 of the tests' deck, encoded once with other
programs (libheif and x265).
"""

from pathlib import Path

import cv2
import numpy as np
import pytest

from printables.errors import PaperError
from printables.reading.photos import heic, photo_decoding
from printables.reading.photos.photo import load_colour, load_grey
from printables.reading.reader import read_photo
from tests.bench.scenes import print_cards

PHOTO = Path(__file__).parent / "three_cards.heic"


def test_the_orientation_is_applied_once():
    colour, grey = load_colour(PHOTO), load_grey(PHOTO)
    assert colour.shape == (584, 778, 3)
    assert (grey == cv2.cvtColor(colour, cv2.COLOR_BGR2GRAY)).all()
    # wood is more red than blue
    assert colour[..., 2].mean() > colour[..., 0].mean() + 10


def test_its_cards_are_read():
    deck = print_cards(40).deck
    reading = read_photo(PHOTO.read_bytes(), deck)
    assert {symbol.code for symbol in reading.symbols} == set(deck.codes[:3])
    first = next(symbol for symbol in reading.symbols if symbol.code == deck.codes[0])
    across = first.corners[1] - first.corners[0]
    assert abs(np.rad2deg(np.arctan2(across[1], across[0])) - 5) < 6


@pytest.mark.parametrize("end", [16, 300, 3000, 5500])
def test_a_truncated_file_is_refused(end):
    with pytest.raises(PaperError, match="is damaged; copy it again from the phone"):
        load_grey(PHOTO.read_bytes()[:end])


@pytest.mark.parametrize("seed", range(30))
def test_randomly_changed_bytes_give_a_photo_or_a_refusal(seed):
    rng = np.random.default_rng(seed)
    content = bytearray(PHOTO.read_bytes())
    # mostly in the boxes before the pixels
    for place in rng.integers(12, 900 if seed % 3 else len(content), 6):
        content[place] = rng.integers(256)
    try:
        grey = load_grey(bytes(content))
    except PaperError:
        return
    assert grey.dtype == np.uint8


def test_a_photo_with_too_many_pixels_is_refused(monkeypatch):
    monkeypatch.setattr("printables.reading.photos.photo.MOST_PIXELS", 400_000)
    with pytest.raises(PaperError, match="million pixels"):
        load_grey(PHOTO)


@pytest.mark.parametrize(
    ("side", "message"),
    [(60_000, "million pixels"), (10_000, "is damaged"), (64, "is damaged"), (2**31, "too few")],
)
def test_a_file_that_declares_another_size_is_refused_before_it_is_decoded(side, message):
    content = bytearray(PHOTO.read_bytes())
    place = content.index(b"ispe") + 8
    content[place : place + 8] = side.to_bytes(4, "big") * 2
    with pytest.raises(PaperError, match=message):
        load_grey(bytes(content))


def test_without_a_safe_decoder_the_message_says_what_to_do(monkeypatch):
    monkeypatch.setattr(heic, "LEAST_LIBHEIF", (99, 0, 0))
    with pytest.raises(PaperError, match=r"share it as JPEG, or install sketch-study\[heic\]"):
        photo_decoding.decode(PHOTO.read_bytes(), "the photo", colour=False, most_pixels=10**6)
