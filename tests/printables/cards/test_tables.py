"""Reading tables row by row, and refusing other files."""

import pytest

from printables.cards.tables import read_rows
from printables.errors import PaperError


def rows(path):
    return list(read_rows(path, ("code", "group"), "save it again", "give both"))


def test_rows_have_line_numbers_and_a_byte_order_mark_is_ignored(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(b'\xef\xbb\xbfcode,group\r\n1,"a\nb"\r\n2,c\r\n')
    assert rows(path) == [({"code": "1", "group": "a\nb"}, 3), ({"code": "2", "group": "c"}, 4)]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"code,group\n\xff,1\n", "is not UTF-8; save it again"),
        (b"code\n1\n", "no column group; give both"),
        (b"", "is empty; save it again"),
        (b"code;group\n1;a\n", ":1: is separated by semicolons; save it with commas"),
        (b"code\tgroup\n1\ta\n", ":1: is separated by tabs; save it with commas"),
        (b"code,group\n1," + b"x" * 140_000, "is not CSV"),
        (b"x" * 140_000, "is not CSV"),
    ],
)
def test_the_message_names_a_file_that_is_no_table(tmp_path, content, message):
    (tmp_path / "t.csv").write_bytes(content)
    with pytest.raises(PaperError, match=rf"t\.csv.*{message}"):
        rows(tmp_path / "t.csv")


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(PaperError, match="cannot be read"):
        rows(tmp_path / "nowhere.csv")
