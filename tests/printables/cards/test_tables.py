"""Tables of cards, row by row, and what is wrong with a file that is none."""

import pytest

from printables.cards.tables import rows_of
from printables.errors import PaperError


def rows(path):
    return list(rows_of(path, ("code", "group"), "save it again", "give both"))


def test_rows_have_their_lines_and_a_byte_order_mark_is_no_part_of_a_name(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(b'\xef\xbb\xbfcode,group\r\n1,"a\nb"\r\n2,c\r\n')
    assert rows(path) == [({"code": "1", "group": "a\nb"}, 3), ({"code": "2", "group": "c"}, 4)]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"code,group\n\xff,1\n", "is not UTF-8; save it again"),
        (b"code\n1\n", "no column group; give both"),
        (b"code,group\n1," + b"x" * 140_000, "is not CSV"),
        (b"x" * 140_000, "is not CSV"),
    ],
)
def test_other_files_are_refused_by_name(tmp_path, content, words):
    (tmp_path / "t.csv").write_bytes(content)
    with pytest.raises(PaperError, match=rf"t\.csv.*{words}"):
        rows(tmp_path / "t.csv")


def test_a_missing_file(tmp_path):
    with pytest.raises(PaperError, match="cannot be read"):
        rows(tmp_path / "nowhere.csv")
