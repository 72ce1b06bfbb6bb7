"""Text files: byte-order marks, compressed files, and files that are not text."""

import gzip

import pytest

from analysis.errors import InputError
from analysis.files.tables import read_table
from analysis.files.text import first_line, read_text


@pytest.mark.parametrize("name", ["a.csv", "a.csv.gz", "a.CSV.GZ"])
def test_a_table_is_the_same_compressed_or_not(tmp_path, name):
    raw = "\ufeffid,score\r\nä,1\r\n\r\n'b,2".encode()
    path = tmp_path / name
    path.write_bytes(gzip.compress(raw) if name.lower().endswith(".gz") else raw)
    assert read_text(path) == "id,score\r\nä,1\r\n\r\n'b,2"
    table = read_table(path)
    assert table.columns == {"id": ["ä", "'b"], "score": ["1", "2"]} and table.lines == [2, 4]


@pytest.mark.parametrize(
    ("raw", "finding"),
    [
        (b"id\na\n", "is not a complete gzip file"),
        (gzip.compress(b"id\na\n" * 99)[:-9], "is not a complete gzip file"),
        (gzip.compress(b"id\n\xe9\n"), ":2: is not UTF-8"),
        (gzip.compress(b"id\na\n\0\n"), ":3: contains a NUL byte"),
        (gzip.compress(b""), "is empty"),
        (gzip.compress(b"id,b\na\n"), ":2: has 1 of 2 cells"),
    ],
)
def test_an_invalid_compressed_file_has_the_same_error_as_a_plain_one(tmp_path, raw, finding):
    path = tmp_path / "a.csv.gz"
    path.write_bytes(raw)
    with pytest.raises(InputError, match=finding):
        read_table(path)


def test_a_compressed_file_is_recognised_by_its_first_bytes(tmp_path):
    (tmp_path / "a.csv").write_bytes(gzip.compress(b"id\na\n"))
    with pytest.raises(InputError, match=r"a\.csv: is compressed with gzip; .* ends in \.gz"):
        read_table(tmp_path / "a.csv")


@pytest.mark.parametrize(
    ("raw", "finding"),
    [
        (b"\x89PNG\r\n\x1a\n", "is a PNG picture; give a text file"),
        (b"\xff\xd8\xff\xe0", "is a JPEG picture; give a text file"),
        (b"%PDF-1.4\n%\xe2\xe3", "is a PDF; give a text file"),
    ],
)
def test_pictures_are_named(tmp_path, raw, finding):
    (tmp_path / "a.csv").write_bytes(raw)
    with pytest.raises(InputError, match=finding):
        read_text(tmp_path / "a.csv")


def test_a_missing_file_is_reported(tmp_path):
    with pytest.raises(InputError, match="cannot be read: no such file"):
        read_text(tmp_path / "absent.csv.gz")
    with pytest.raises(InputError, match="cannot be read"):
        first_line(tmp_path)


def test_the_first_line_is_only_searched_at_the_start(tmp_path):
    path = tmp_path / "a.run"
    path.write_bytes(b"\xef\xbb\xbf\n \r\n q Q0 d 1 2.5 tag\r\nnext\n")
    assert first_line(path).split() == ["q", "Q0", "d", "1", "2.5", "tag"]
    path.write_bytes(b"a b " * 1_000_000)
    assert len(first_line(path)) == 1 << 16
    packed = tmp_path / "a.gz"
    packed.write_bytes(gzip.compress(b"x" * 50_000_000))
    assert len(first_line(packed)) == 1 << 16
