"""Manifests: written, read back, and refused with the line that is wrong."""

from dataclasses import replace

import pytest

from printables.cards.codes import CardCode, encode
from printables.cards.manifest import ManifestRow, code_side, read_manifest, write_manifest
from printables.errors import PaperError

HEADER = "card,code,set,stimulus,deck,page,x_mm,y_mm,width_mm,height_mm"


def row(card=42, page=1, **changes):
    code = encode(CardCode(1, card, 1, 1))
    plain = ManifestRow(card, code, "chairs", f"chair {card}", "A", page, 7.7, 15.95, 66.0, 46.0)
    return replace(plain, **changes)


def test_the_format_of_a_manifest(tmp_path):
    write_manifest([row()], tmp_path / "cards.csv")
    assert (tmp_path / "cards.csv").read_bytes() == (
        f"{HEADER}\n42,00010004201119,chairs,chair 42,A,1,7.7,15.95,66,46\n".encode()
    )


@pytest.mark.parametrize("name", ["a,b", 'say "so"', "two\nlines", "Stühle 椅子", "=1+1", "\u2028"])
def test_any_name_is_read_back(tmp_path, name):
    rows = [row(1, set_name=name, stimulus=name), row(2)]
    write_manifest(rows, tmp_path / "cards.csv")
    assert read_manifest(tmp_path / "cards.csv") == rows


def test_a_byte_order_mark_crlf_and_additional_columns_are_accepted(tmp_path):
    path = tmp_path / "cards.csv"
    line = "x,42,00010004201119,chairs,chair 42,A,1,7.7,15.95,66,46"
    path.write_bytes(f"\ufeffnote,{HEADER}\r\n{line}\r\n".encode())
    assert read_manifest(path) == [row()]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("42,00010004201118,s,x,A,1,1,1,66,46", ":2: .*check digits"),
        ("41,00010004201119,s,x,A,1,1,1,66,46", ":2: card 41 has the code of card 42"),
        ("42,10004201119,s,x,A,1,1,1,66,46", ":2: .*a spreadsheet has removed its leading zeros"),
        ("42,00010004201119,s,x,A,1,left,1,66,46", ":2: x_mm is 'left'"),
        ("42,00010004201119,s,x,A,1,nan,1,66,46", ":2: x_mm is 'nan'"),
        ("42,00010004201119,s,x,A,1,1,1,66", ":2: height_mm is missing"),
        ("42,00010004201119,s,x,A,1,1,1,-66,46", ":2: width_mm is '-66'"),
    ],
)
def test_the_message_names_a_wrong_line(tmp_path, line, message):
    path = tmp_path / "cards.csv"
    path.write_text(f"{HEADER}\n{line}\n", encoding="utf-8")
    with pytest.raises(PaperError, match=message) as refused:
        read_manifest(path)
    assert (refused.value.file, refused.value.line) == (path, 2)
    assert str(path) not in refused.value.finding


def test_a_file_in_another_encoding_is_refused(tmp_path):
    (tmp_path / "cards.csv").write_bytes(f"{HEADER}\n42,Jos\xe9".encode("latin-1"))
    with pytest.raises(
        PaperError, match=r"cards\.csv: is not UTF-8; print the cards with --manifest again"
    ):
        read_manifest(tmp_path / "cards.csv")


def test_the_message_names_a_missing_column(tmp_path):
    path = tmp_path / "cards.csv"
    path.write_text("card,code\n", encoding="utf-8")
    with pytest.raises(PaperError, match=":1: no column set, stimulus, deck"):
        read_manifest(path)


@pytest.mark.parametrize("content", [b"", b"\xff\xfe\x00", f"{HEADER}\n".encode()])
def test_other_files_are_refused(tmp_path, content):
    path = tmp_path / "cards.csv"
    path.write_bytes(content)
    with pytest.raises(PaperError, match=r"cards\.csv"):
        read_manifest(path)


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(PaperError, match="cannot be read"):
        read_manifest(tmp_path / "none.csv")


def test_the_page_numbers_show_the_side_of_the_codes():
    assert code_side([row(page=1), row(page=2)]) == "front"
    assert code_side([row(page=2), row(page=4)]) == "back"
