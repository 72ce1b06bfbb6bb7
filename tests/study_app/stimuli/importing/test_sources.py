"""Contents of paths: names, order, folders, and hidden files."""

import os
import stat
import struct
import sys
import zipfile
from contextlib import ExitStack

import pytest

from study_app.stimuli.importing import sources
from study_app.stimuli.importing.refusals import FileRefused
from tests.study_app.stimuli.importing.pictures_made import line, png, zipped


def listed(*paths):
    """Entries of paths, and refusals."""
    refused = []
    with ExitStack() as archives:
        files = sources.files_of(paths)
        entries = sources.list_entries(files, lambda *note: refused.append(note), archives)
        contents = []
        for entry in entries:
            try:
                contents.append(entry.read()[0])
            except FileRefused as refusal:
                contents.append(str(refusal))
    return entries, contents, refused


def test_folders_are_listed_in_natural_order(tmp_path):
    folder = tmp_path / "chairs"
    for name in ("s10.png", "s2.png", "more/s1.png", ".DS_Store", "__MACOSX/._s2.png"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(png())
    entries, contents, refused = listed(folder)
    assert [(e.stem, e.folder) for e in entries] == [
        ("s1", "more"),
        ("s2", "chairs"),
        ("s10", "chairs"),
    ]
    assert contents == ["png"] * 3
    assert refused == []


def test_paths_in_an_archive_do_not_leave_it(tmp_path):
    path = tmp_path / "birds.zip"
    names = ["../../evil.png", "/etc/evil2.png", "C:\\evil3.png", "a/b/one.png", "two.png", "..png"]
    path.write_bytes(zipped({name: png(n) for n, name in enumerate(names)}))
    entries, contents, _ = listed(path)
    assert {(e.stem, e.folder) for e in entries} == {
        ("evil", "birds"),
        ("evil2", "etc"),
        ("evil3", "C:"),
        ("one", "b"),
        ("two", "birds"),
    }
    assert set(contents) == {"png"}
    assert [p.name for p in tmp_path.rglob("*")] == ["birds.zip"]


def test_reading_a_zip_bomb_stops_early(tmp_path, monkeypatch):
    path = tmp_path / "bomb.zip"
    path.write_bytes(zipped({"zeros.png": bytes(10**8), "nested.zip": zipped({"a.png": png()})}))
    _, contents, _ = listed(path)
    assert contents == ["is a .zip inside a .zip; import it separately", contents[1]]
    assert contents[1].startswith("is not a picture")


def test_the_unpacked_size_of_an_archive_is_limited(tmp_path, monkeypatch):
    monkeypatch.setattr(sources, "MOST_UNPACKED_BYTES", 3 * len(png()))
    path = tmp_path / "many.zip"
    path.write_bytes(zipped({f"{n}.png": png() for n in range(5)}))
    _, contents, _ = listed(path)
    assert contents[:2] == ["png", "png"]
    assert "exceeds the unpacked-size limit" in contents[-1]


def test_one_huge_entry_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(sources, "MOST_FILE_BYTES", 10_000)
    path = tmp_path / "big.zip"
    path.write_bytes(zipped({"big.png": png() + bytes(20_000)}))
    assert "unpacks to more than" in listed(path)[1][0]


def test_a_damaged_archive_is_refused(tmp_path):
    path = tmp_path / "broken.zip"
    path.write_bytes(zipped({"a.png": png()})[:-30])
    assert listed(path)[2][0][1].startswith("is a damaged .zip")


def test_a_damaged_entry_is_refused_alone(tmp_path):
    path = tmp_path / "half.zip"
    content = bytearray(zipped({"a.png": png(1) * 40, "b.png": png(2)}))
    content[60:70] = b"x" * 10
    path.write_bytes(bytes(content))
    assert listed(path)[1] == ["is damaged inside its .zip; pack it again", "png"]


def test_drawings_are_named_by_their_key_id(tmp_path):
    path = tmp_path / "bird.ndjson"
    broken = b'{"drawing": [[1\n'
    path.write_bytes(line("k10", [[0], [200]]) + broken + b"\r\n" + line("", [[1], [2]]))
    entries, contents, refused = listed(path)
    assert [(e.stem, e.folder, e.box) for e in entries] == [
        ("k10", "bird", 256),
        ("bird-4", "bird", 256),
    ]
    assert contents == ["ndjson"] * 2
    assert refused[0][0] == "bird.ndjson: line 2"


def test_a_file_without_drawings_is_refused_line_by_line(tmp_path):
    path = tmp_path / "bird.ndjson"
    path.write_bytes(b'{"word": "bird"}\nnot json\n')
    entries, _, refused = listed(path)
    assert entries == []
    assert [place for place, _ in refused] == ["bird.ndjson: line 1", "bird.ndjson: line 2"]
    assert 'has no "drawing"' in refused[0][1] and "is not a line of JSON" in refused[1][1]
    path.write_bytes(b"")
    assert listed(path)[1] == ["is empty"]


def test_a_byte_order_mark_is_ignored(tmp_path):
    path = tmp_path / "bird.ndjson"
    path.write_bytes(b"\xef\xbb\xbf" + line("k1", [[0, 4], [2, 2]]))
    assert listed(path)[1] == ["ndjson"]


def test_drawings_in_an_archive_are_found(tmp_path):
    path = tmp_path / "all.zip"
    lines = line("k1", [[0, 300], [2, 2]]) + line("k2", [[0, 4], [2, 2]])
    path.write_bytes(zipped({"in/bird.ndjson": lines, "false.ndjson": b"hello", "x.png": png()}))
    entries, contents, refused = listed(path)
    assert [(e.stem, e.folder, e.box) for e in entries] == [
        ("k1", "bird", 512),
        ("k2", "bird", 512),
        ("x", "all", None),
    ]
    assert contents == ["ndjson", "ndjson", "png"]
    assert [place for place, _ in refused] == ["all.zip: false.ndjson"]


def test_a_named_folder_is_imported_even_if_hidden(tmp_path):
    (tmp_path / ".kept").mkdir()
    (tmp_path / ".kept" / "a.png").write_bytes(png())
    assert [e.stem for e in listed(tmp_path / ".kept")[0]] == ["a"]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
def test_undecodable_file_names_become_text(tmp_path):
    path = os.fsencode(tmp_path) + b"/caf\xe9.png"
    with open(path, "wb") as file:  # noqa: PTH123
        file.write(png())
    assert [e.stem for e in listed(tmp_path)[0]] == ["caf"]


def test_links_in_a_folder_are_refused_by_name_and_those_given_are_read(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    picture = tmp_path / "elsewhere" / "robin.png"
    picture.write_bytes(png())
    folder = tmp_path / "birds"
    folder.mkdir()
    (folder / "wren.png").write_bytes(png())
    for name, target in (
        ("robin.png", picture),
        ("again", folder),
        ("gone.png", tmp_path / "gone"),
        (".hidden", picture),
    ):
        (folder / name).symlink_to(target)
    entries, _, refused = listed(folder)
    assert [entry.place for entry in entries] == ["birds/wren.png"]
    assert sorted(place for place, _ in refused) == [
        "birds/again",
        "birds/gone.png",
        "birds/robin.png",
    ]
    assert all("symbolic link" in reason for _, reason in refused)
    entries, _, refused = listed(folder / "robin.png", folder / "again")
    assert [entry.place for entry in entries] == ["birds/wren.png", "robin.png"]


def test_a_link_in_an_archive_is_refused_as_a_link(tmp_path):
    with zipfile.ZipFile(tmp_path / "birds.zip", "w") as packed:
        packed.writestr("wren.png", png())
        link = zipfile.ZipInfo("robin.png")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        packed.writestr(link, "wren.png")
    entries, _, refused = listed(tmp_path / "birds.zip")
    assert [entry.place for entry in entries] == ["birds.zip: wren.png"]
    reason = "is a symbolic link; pack the file that it points to"
    assert refused == [("birds.zip: robin.png", reason)]


def test_a_missing_path_is_reported(tmp_path):
    with pytest.raises(FileRefused, match=r"nowhere: there is no such file"):
        sources.files_of([tmp_path / "nowhere"])


def test_an_endless_line_is_refused_once_and_the_next_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr(sources, "MOST_LINE_BYTES", 1000)
    path = tmp_path / "bird.ndjson"
    path.write_bytes(
        line("a", [[0], [1]]) + b'{"drawing": [' + b"1," * 5000 + b"\n" + line("b", [[1], [2]])
    )
    entries, contents, refused = listed(path)
    assert [entry.stem for entry in entries] == ["a", "b"] and contents == ["ndjson"] * 2
    assert [place for place, _ in refused] == ["bird.ndjson: line 2"]
    assert "is longer than" in refused[0][1]


def test_endless_drawings_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(sources, "MOST_DRAWINGS", 3)
    path = tmp_path / "bird.ndjson"
    path.write_bytes(b"".join(line(str(n), [[n], [1]]) for n in range(4)))
    assert "contains more than 3 drawings" in listed(path)[2][0][1]
    packed = tmp_path / "birds.zip"
    packed.write_bytes(zipped({"bird.ndjson": path.read_bytes(), "a.png": png()}))
    entries, _, refused = listed(packed)
    assert [entry.stem for entry in entries] == ["a"] and len(refused) == 1


@pytest.mark.parametrize("number", [b"9" * 5000, b"[" * 100_000])
def test_json_beyond_python_limits_is_refused_clearly(tmp_path, number):
    path = tmp_path / "bird.ndjson"
    path.write_bytes(line("a", [[0], [1]]) + b'{"drawing": ' + number + b"}\n")
    assert listed(path)[2][0][1] == "is not a line of JSON (a number or list that is too long)"


def as_declared(content):
    return content


def with_the_end_in_its_own_record(content):
    """The offset of the list, which `zipfile` corrects, looks like another end of the archive."""
    at = len(content) - 22
    return content[: at + 16] + b"PK\x05\x06" + content[at + 20 :]


def with_a_short_list_in_its_old_record(content):
    """The record of large archives counts, whatever the other one declares."""
    at = content.rindex(b"PK\x05\x06") + 12
    return content[:at] + bytes(4) + content[at + 4 :]


def with_an_end_in_its_comment(content):
    """The record of large archives is looked for from the end."""
    at = content.rindex(b"PK\x05\x06")
    decoy = b"PK\x06\x06" + bytes(60)
    old = content[at : at + 12] + b"\xff" * 4 + content[at + 16 : at + 20]
    return content[:at] + old + struct.pack("<H", len(decoy)) + decoy


@pytest.mark.parametrize(
    ("large", "change"),
    [
        (False, as_declared),
        (True, as_declared),
        (False, with_the_end_in_its_own_record),
        (True, with_a_short_list_in_its_old_record),
        (True, with_an_end_in_its_comment),
    ],
)
def test_an_archive_of_millions_is_refused_before_its_list_is_read(
    tmp_path, monkeypatch, large, change
):
    path = tmp_path / "many.zip"
    monkeypatch.setattr("zipfile.ZIP_FILECOUNT_LIMIT", 10 if large else 2**16)
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(2000):
            archive.writestr(f"{number}.png", b"")
    path.write_bytes(change(path.read_bytes()))
    with zipfile.ZipFile(path) as archive:
        assert len(archive.infolist()) == 2000
    monkeypatch.setattr(sources, "MOST_DIRECTORY_BYTES", 1900 * 46)
    monkeypatch.setattr(zipfile, "ZipInfo", pytest.fail)
    assert "contains more than 100,000 files" in listed(path)[2][0][1]
