"""Where the picture in a JPEG file ends."""

import io

import numpy as np
import pytest
from PIL import Image

from printables.artwork.jpeg import picture_alone


@pytest.fixture(params=[{}, {"progressive": True}, {"restart_marker_rows": 1}], ids=str)
def jpeg(request):
    pixels = np.random.default_rng(1).integers(0, 256, (48, 64, 3), np.uint8)
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "JPEG", exif=b"Exif\0\0\xff\xd9", **request.param)
    return file.getvalue()


def test_what_follows_the_picture_is_dropped(jpeg):
    assert picture_alone(jpeg) == jpeg
    assert picture_alone(jpeg + b"a video" + jpeg) == jpeg


def test_a_truncated_file_has_no_end(jpeg):
    assert picture_alone(jpeg[:-2]) is None
    assert picture_alone(jpeg[: len(jpeg) // 2]) is None
    assert picture_alone(b"") is None
