"""The CSV reader."""

import numpy as np
import pytest

from analysis.errors import InputError
from analysis.files.tables import read_table


def written(tmp_path, content):
    path = tmp_path / "table.csv"
    path.write_bytes(content)
    return path


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_reads_byte_order_mark_and_line_ends(tmp_path, ends, mark):
    content = mark + ends.join(["a,b", "x, 1 ", "", '"y, z",2', ""]).encode()
    table = read_table(written(tmp_path, content), ["b", "a"])
    assert table.columns == {"a": ["x", "y, z"], "b": ["1", "2"]}
    assert table.lines == [2, 4]
    np.testing.assert_array_equal(table.numbers("b"), [1, 2])


def test_line_numbers_are_right_after_a_cell_with_a_line_break(tmp_path):
    table = read_table(written(tmp_path, b'a\n"x\ny"\nz\n'))
    assert table.lines == [2, 4]


@pytest.mark.parametrize(
    ("content", "finding"),
    [
        (b"", "table.csv: is empty"),
        (b"a,c\n1,2\n", "table.csv:1: has no column b; its header is a,c"),
        (b"c\n1\n", "table.csv:1: has no columns a, b; its header is c"),
        (b"a;b\n1;2\n", "table.csv:1: is separated by semicolons"),
        (b"a,b\n1\n", "table.csv:2: has 1 of 2 cells; add the missing ones"),
        (b"a,b\n1,2,3\n", "has 3 cells where the header has 2; put a cell that contains a comma"),
        (b"a,b,a\n1,2,3\n", "table.csv:1: names the column 'a' 2 times"),
        (b"a,b\n1,2\n3,\xff\n", "table.csv:3: is not UTF-8"),
        (b'a,b\n1,"2\n', "table.csv:2: is not CSV"),
        (b"a,b\n1,2\n3,\x004\n", "table.csv:3: contains a NUL byte"),
    ],
)
def test_errors_state_file_line_and_finding(tmp_path, content, finding):
    with pytest.raises(InputError) as refusal:
        read_table(written(tmp_path, content), ["a", "b"])
    assert finding in str(refusal.value)


def test_a_missing_file_is_an_error(tmp_path):
    with pytest.raises(InputError, match="cannot be read: no such file"):
        read_table(tmp_path / "absent.csv")


@pytest.mark.parametrize("cell", ["one", "nan", "inf", "1,5", "1_0"])
def test_only_finite_numbers_are_numbers(tmp_path, cell):
    table = read_table(written(tmp_path, f'a,score\nx,2\ny,"{cell}"\n'.encode()))
    with pytest.raises(InputError, match=r"table.csv:3: score is .*; a finite number is needed"):
        table.numbers("score")


@pytest.mark.parametrize(
    ("rows", "finding"),
    [
        ('1,"0,25"', "score is '0,25'; a finite number is needed, with a decimal point instead of"),
        ("1,s1\n2,s2", "score is 's1'; .*; are the columns score and a swapped?"),
        (f"1,{'9' * 400}", f"score is '{'9' * 40}…'; a finite number is needed$"),
    ],
)
def test_the_likely_cause_of_a_cell_that_is_not_a_number_is_stated(tmp_path, rows, finding):
    table = read_table(written(tmp_path, f"a,score\n{rows}\n".encode()))
    with pytest.raises(InputError, match=finding):
        table.numbers("score")


def test_an_empty_id_is_an_error(tmp_path):
    table = read_table(written(tmp_path, b"a,b\nx,1\n  ,2\n"))
    with pytest.raises(InputError, match=r"table.csv:3: a is empty"):
        table.ids("a")


def test_a_table_without_rows_has_columns(tmp_path):
    table = read_table(written(tmp_path, b"a,b\n"))
    assert len(table) == 0
    assert table.numbers("b").shape == (0,)
