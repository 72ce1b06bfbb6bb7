"""Writing and reading the orientation in EXIF data."""

from PIL import Image

from printables.artwork.exif import PREFIX, orientation_exif, orientation_of


def test_an_orientation_is_read_back():
    for orientation in range(1, 9):
        alone = orientation_exif(orientation)
        assert orientation_of(alone) == orientation
        pillow = Image.Exif()
        pillow.load(PREFIX + alone)
        assert dict(pillow) == {0x0112: orientation}


def test_invalid_data_has_no_orientation():
    for content in (
        b"",
        b"II",
        b"not exif at all",
        orientation_exif(9),
        orientation_exif(1)[:12],
    ):
        assert orientation_of(content) is None
