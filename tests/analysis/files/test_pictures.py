"""Pictures by id: found in folders, and read upright, on white, at one size."""

import numpy as np
import pytest
from PIL import Image

from analysis.errors import InputError
from analysis.files import pictures
from analysis.files.pictures import PictureFolders, read_picture


@pytest.fixture
def folder(tmp_path):
    for name in ("owl.png", "birds/hen.JPG", "birds/hen.webp", "q1/01.png", "q2/01.png", "a.b.gif"):
        path = tmp_path / "pictures" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"")
    (tmp_path / "pictures" / "owl.txt").write_text("no picture", encoding="utf-8")
    (tmp_path / "secret.png").write_bytes(b"")
    return tmp_path / "pictures"


@pytest.mark.parametrize(
    ("id_", "found"),
    [
        ("owl", "owl.png"),
        ("owl.png", "owl.png"),
        ("hen", "birds/hen.webp"),
        ("hen.JPG", "birds/hen.JPG"),
        ("birds/hen", "birds/hen.webp"),
        ("a.b", "a.b.gif"),
        ("a.b.gif", "a.b.gif"),
    ],
)
def test_a_picture_is_found_by_name_or_by_path_inside(folder, id_, found):
    assert PictureFolders([folder]).find(id_) == folder / found


@pytest.mark.parametrize("id_", ["", ".", "birds", "OWL", "owl.txt", "../secret", "birds/../owl"])
def test_an_id_is_never_used_as_a_path(folder, id_):
    assert PictureFolders([folder]).find(id_) is None
    assert PictureFolders([folder]).find(str(folder.parent / "secret.png")) is None


def test_among_equal_names_the_picture_in_the_folder_of_the_query_is_used(folder):
    both = PictureFolders([folder])
    assert both.find("01", "q2") == folder / "q2" / "01.png"
    with pytest.raises(InputError, match=r"q1.*q2.*both match stimulus 01"):
        both.find("01", "q3")


def test_a_second_folder_adds_its_own(folder):
    two = PictureFolders([folder / "q1", folder / "birds"])
    assert two.find("01") == folder / "q1" / "01.png"
    assert two.find("hen") == folder / "birds" / "hen.webp"


def test_a_file_is_not_a_folder(folder):
    with pytest.raises(InputError, match="is not a folder"):
        PictureFolders([folder / "owl.png"])


def test_the_longer_side_is_as_requested_and_transparent_parts_are_white(tmp_path):
    path = tmp_path / "clear.png"
    picture = Image.new("RGBA", (30, 60), (0, 0, 0, 0))
    picture.paste((255, 0, 0, 255), (0, 0, 30, 30))
    picture.save(path)
    read = read_picture(path, 120)
    assert read.shape == (120, 60, 3)
    assert read[5, 30].tolist() == [255, 0, 0] and read[-5, 30].tolist() == [255, 255, 255]


def test_a_photo_is_rotated_upright(tmp_path):
    path = tmp_path / "photo.jpg"
    exif = Image.Exif()
    exif[0x0112] = 6
    picture = Image.new("L", (400, 200), 255)
    picture.paste(0, (0, 0, 100, 200))
    picture.save(path, exif=exif)
    read = read_picture(path, 40)
    assert read.shape == (40, 20, 3)
    assert read[2].max() < 60 and read[-2].min() > 200


def test_sixteen_bit_values_are_scaled_and_not_clipped(tmp_path):
    path = tmp_path / "deep.png"
    Image.fromarray(np.full((8, 8), 257 * 100, dtype=np.uint16)).save(path)
    assert np.unique(read_picture(path, 8)).tolist() == [100]


def test_a_file_that_is_not_a_picture_is_an_error_with_its_name(folder, tmp_path):
    with pytest.raises(InputError, match=r"owl\.png: cannot be read as a picture"):
        read_picture(folder / "owl.png", 10)
    cut = tmp_path / "cut.png"
    Image.effect_noise((64, 64), 50).save(cut)
    cut.write_bytes(cut.read_bytes()[:900])
    with pytest.raises(InputError, match=r"cut\.png: cannot be read"):
        read_picture(cut, 10)


def test_too_many_pixels_are_an_error_before_decoding(tmp_path, monkeypatch):
    path = tmp_path / "vast.png"
    Image.new("1", (40, 30)).save(path)
    monkeypatch.setattr(pictures, "MAX_PIXELS", 1000)
    with pytest.raises(InputError, match=r"vast\.png: has 40 x 30 pixels; reduce it"):
        read_picture(path, 10)
    # Pillow warns above this number, and raises an error above twice this number.
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 1100)
    with pytest.raises(InputError, match="has 40 x 30 pixels"):
        read_picture(path, 10)
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 500)
    with pytest.raises(
        InputError, match=r"vast\.png: is too large; reduce it to at most 1,000 pix"
    ):
        read_picture(path, 10)
