"""JPEG files whose middle is damaged, of which the decoder gives a picture all the same."""

import os

import numpy as np
import pytest

from printables.errors import PaperError
from printables.reading.photos.decoder_warnings import is_damaged, written_to_stderr
from printables.reading.photos.photo import load_colour, load_grey
from tests.printables.reading.photos.test_photo import saved

NOISE = np.random.default_rng(1).integers(0, 256, (200, 300)).astype(np.uint8)
END = b"\xff\xd9"


@pytest.mark.parametrize("options", [{}, {"progressive": True}, {"restart_marker_rows": 1}])
def test_a_photo_with_a_damaged_middle_is_refused_but_shown(options):
    whole = saved(NOISE, "JPEG", quality=90, **options)
    assert load_grey(whole).shape == NOISE.shape
    middle = len(whole) // 2
    damaged = whole[:middle] + bytes(2000) + whole[middle + 2000 :]
    with pytest.raises(PaperError, match="is damaged: a part of the picture is missing"):
        load_grey(damaged)
    assert load_colour(damaged).shape == (*NOISE.shape, 3)


def test_a_few_bytes_before_the_end_are_no_damage():
    whole = saved(NOISE, "JPEG", quality=90)
    assert load_grey(whole.removesuffix(END) + bytes(4) + END).shape == NOISE.shape
    with pytest.raises(PaperError, match="is damaged"):
        load_grey(whole.removesuffix(END) + bytes(40) + END)


def test_what_is_written_is_collected_and_the_stream_given_back():
    before = os.fstat(2)
    with written_to_stderr() as written:
        os.write(2, b"bad Huffman code")
    assert written == ["bad Huffman code"]
    assert is_damaged(written[0])
    assert os.fstat(2) == before
