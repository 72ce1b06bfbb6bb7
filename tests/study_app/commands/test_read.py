"""`sketch-study read`, as it is typed."""

import csv
import io
import os
import sys
from dataclasses import replace

import cv2
import numpy as np
import pytest
from PIL import Image, ImageDraw

from printables.cards.manifest import ManifestRow, write_manifest
from printables.reading import overlay
from study_app.cli import main
from tests.bench.scenes import ORDINARY, photograph, print_cards

COLUMNS = ["photo", "code", "group", "x1", "y1", "x2", "y2", "x3", "y3", "x4", "y4"]


@pytest.fixture(scope="module")
def scene():
    return photograph(print_cards(40), 14, replace(ORDINARY, megapixels=3), seed=3)


@pytest.fixture
def photo(scene, tmp_path):
    path = tmp_path / "table.jpg"
    path.write_bytes(scene.jpeg)
    return path


@pytest.fixture
def manifest(scene, tmp_path):
    layout = print_cards(40).deck.layout
    size = (layout.width_mm, layout.height_mm)
    rows = [
        ManifestRow(int(code[4:9]), code, "chairs", "s", "A", 1, 5, 5, *size)
        for code in print_cards(40).deck.codes
    ]
    write_manifest(rows, tmp_path / "cards.csv")
    return tmp_path / "cards.csv"


def sketch_study(*arguments):
    """Exit status of the command."""
    with pytest.raises(SystemExit) as end:
        main([str(argument) for argument in arguments])
    return end.value.code or 0


def table(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def with_a_covered_code(scene, photo):
    """The photo with a black square on the first card's code."""
    covered = photo.with_name("covered.jpg")
    corners = next(iter(scene.corners.values()))
    middle = corners.mean(axis=0)
    with Image.open(photo) as picture:
        square = [tuple(middle + (corner - middle) * 0.8) for corner in corners]
        ImageDraw.Draw(picture).polygon(square, fill="black")
        picture.save(covered, quality=95)
    return covered


def test_a_terminal_shows_how_many_photos_were_read(photo, tmp_path, capsys, monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    Image.new("L", (400, 300)).save(tmp_path / "black.png")
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    assert sketch_study("read", photo, tmp_path / "black.png", "--out", tmp_path / "c.csv") == 0
    shown = terminal.getvalue()
    assert shown.index("Reading") < shown.index("50%") < shown.index("100%")
    assert "No card was found" in shown.partition("100%")[2]


@pytest.mark.parametrize("with_overlay", [True, False])
def test_without_overlays_the_summary_says_where_to_see_rings(
    scene, photo, tmp_path, capsys, with_overlay
):
    covered = with_a_covered_code(scene, photo)
    options = ["--overlay", tmp_path / "drawn"] if with_overlay else []
    assert sketch_study("read", covered, "--out", tmp_path / "codes.csv", *options) == 0
    output = capsys.readouterr().out
    assert "13 cards in 2 groups, 1 unread" in output
    hint = "--overlay DIR saves each photo with unread cards and other paper ringed.\n"
    assert output.endswith(hint) is (not with_overlay)


def test_an_unread_card_is_ringed_in_one_of_the_photos_that_show_it(
    scene, photo, tmp_path, monkeypatch
):
    drawn, draw = [], overlay.draw_overlay
    monkeypatch.setattr(
        overlay,
        "draw_overlay",
        lambda photo, reading: drawn.append(reading) or draw(photo, reading),
    )
    covered = with_a_covered_code(scene, photo)
    options = ["--out", tmp_path / "codes.csv", "--overlay", tmp_path / "drawn"]
    assert sketch_study("read", covered, covered, *options) == 0
    assert sorted(len(reading.unread) for reading in drawn) == [0, 1]
    assert {len(reading.symbols) for reading in drawn} == {13}


def test_a_card_that_another_photo_of_the_table_reads_is_not_unread(
    scene, photo, manifest, tmp_path, capsys
):
    covered = with_a_covered_code(scene, photo)
    options = ["--manifest", manifest, "--out", tmp_path / "codes.csv"]
    assert sketch_study("read", covered, *options) == 0
    alone = capsys.readouterr()
    assert "1 card was not read" in alone.err and "13 cards in 2 groups" in alone.out
    assert sketch_study("read", covered, photo, *options, "--force") == 0
    both = capsys.readouterr()
    assert "not read" not in both.err
    assert "0 unread" in both.out and "--overlay" not in both.out
    assert "2 photos together: 14 of 40 cards placed." in both.out


def with_cards_swapped(scene, photo, pairs):
    """The photo with the codes of cards on each other's place."""
    swapped, corners = photo.with_name("swapped.jpg"), list(scene.corners.values())
    before = cv2.imread(str(photo))
    after, size = before.copy(), before.shape[1::-1]
    for one, other in pairs:
        for source, target in ((one, other), (other, one)):
            seen, there = (corners[card].astype(np.float32) for card in (source, target))
            moved = cv2.warpPerspective(before, cv2.getPerspectiveTransform(seen, there), size)
            grown = there.mean(0) + (there - there.mean(0)) * 1.12
            mask = cv2.fillConvexPoly(np.zeros(size[::-1], np.uint8), grown.astype(int), 1)
            after = np.where(mask[..., None] > 0, moved, after)
    cv2.imwrite(str(swapped), after)
    return swapped


def test_photos_that_contradict_each_other_are_reported(scene, photo, manifest, tmp_path, capsys):
    codes, groups = list(scene.corners), [scene.groups[code] for code in scene.corners]
    first = [card for card, group in enumerate(groups) if group == groups[0]]
    last = [card for card, group in enumerate(groups) if group != groups[0]]
    known = "--manifest", manifest, "--out", tmp_path / "c.csv", "--force"
    assert sketch_study("read", photo, photo, *known) == 0
    assert "two places" not in capsys.readouterr().err
    two = with_cards_swapped(scene, photo, [(first[0], last[0])])
    assert sketch_study("read", photo, two, *known) == 0
    said = capsys.readouterr().err
    for card in (first[0], last[0]):
        words = f"2 photos together: Card {codes[card]} appears in two places"
        assert words in said
    pairs = list(zip(first, last, strict=False))[:2]
    several = with_cards_swapped(scene, photo, pairs)
    assert sketch_study("read", photo, several, *known) == 0
    assert "2 photos together: 4 cards appear in two places." in capsys.readouterr().err


@pytest.mark.parametrize("with_manifest", [True, False])
def test_codes_corners_and_groups(scene, photo, manifest, tmp_path, capsys, with_manifest):
    out = tmp_path / "codes.csv"
    options = ["--manifest", manifest] if with_manifest else []
    assert sketch_study("read", photo, "--out", out, *options) == 0
    head, *rows = table(out)
    assert head == COLUMNS
    assert {row[1] for row in rows} == set(scene.corners)
    assert {row[0] for row in rows} == {str(photo)}
    pairs = {(row[2], scene.groups[row[1]]) for row in rows}
    assert len(pairs) == len(set(scene.groups.values()))
    assert min(int(row[2]) for row in rows) == 1
    for row in rows:
        corners = np.array(row[3:], float).reshape(4, 2)
        assert np.abs(corners - scene.corners[row[1]]).max() < 2
    assert "14 cards in 2 groups, 0 unread" in capsys.readouterr().out
    assert b"\r" not in out.read_bytes()


@pytest.mark.parametrize("foreign", [5, 6])
def test_only_the_first_codes_that_are_not_in_the_manifest_are_named(
    scene, photo, manifest, tmp_path, capsys, foreign
):
    others = sorted(scene.corners)[:foreign]
    lines = manifest.read_text().splitlines(keepends=True)
    known = [line for line in lines if not any(code in line for code in others)]
    manifest.write_text("".join(known))
    options = ["--manifest", manifest, "--out", tmp_path / "codes.csv"]
    assert sketch_study("read", photo, *options) == 0
    named = ", ".join(others[:5]) + ", …" * (foreign > 5)
    assert f"{foreign} not in the manifest ({named})" in capsys.readouterr().out


def test_cards_of_another_deck_need_its_manifest(scene, photo, manifest, tmp_path, capsys):
    head, *lines = manifest.read_text().splitlines(keepends=True)
    others = [line for line in lines if not any(code in line for code in scene.corners)]
    manifest.write_text(head + "".join(others))
    options = ["--manifest", manifest, "--out", tmp_path / "codes.csv"]
    assert sketch_study("read", photo, *options) == 0
    words = f"{photo}: The cards are not in {manifest}: give the manifest of their deck.\n"
    assert capsys.readouterr().err.endswith(words)


def test_overlays_are_named_by_their_photos(photo, tmp_path):
    arguments = ["read", photo, photo, "--out", tmp_path / "c.csv", "--overlay", tmp_path / "over"]
    assert sketch_study(*arguments) == 0
    names = sorted(path.name for path in (tmp_path / "over").iterdir())
    assert names == ["01-table.jpg", "02-table.jpg"]
    assert (tmp_path / "over" / names[0]).read_bytes().startswith(b"\xff\xd8")


def test_a_number_of_groups(photo, tmp_path):
    assert sketch_study("read", photo, "--groups", 4, "--out", tmp_path / "c.csv") == 0
    assert {row[2] for row in table(tmp_path / "c.csv")[1:]} == set("1234")


def test_one_bad_photo_writes_nothing(photo, tmp_path, capsys):
    (tmp_path / "bad.jpg").write_bytes(b"no photo")
    out, over = tmp_path / "codes.csv", tmp_path / "over"
    arguments = ["read", photo, tmp_path / "bad.jpg", "--out", out, "--overlay", over]
    assert sketch_study(*arguments) == 1
    output = capsys.readouterr().err.splitlines()
    assert len(output) == 1
    assert f"{tmp_path / 'bad.jpg'}: is not a photo" in output[0]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad.jpg", "table.jpg"]


def test_a_card_that_appears_twice_is_reported(scene, photo, tmp_path, capsys):
    with Image.open(photo) as picture:
        Image.fromarray(np.hstack([picture, picture])).save(tmp_path / "twice.jpg", quality=95)
    assert sketch_study("read", tmp_path / "twice.jpg", "--out", tmp_path / "c.csv") == 0
    output = capsys.readouterr().err
    for code in scene.corners:
        assert f"Card {code} appears in two places" in output


def test_existing_files_are_kept_without_force(photo, tmp_path, capsys):
    out = tmp_path / "codes.csv"
    out.write_text("mine")
    assert sketch_study("read", photo, "--out", out) == 1
    assert "give --force" in capsys.readouterr().err
    assert out.read_text() == "mine"
    assert sketch_study("read", photo, "--out", out, "--force") == 0
    assert table(out)[0] == COLUMNS


def test_a_file_that_is_read_is_never_replaced(photo, manifest, capsys):
    for source in (photo, manifest):
        before = source.read_bytes()
        options = ["--manifest", manifest, "--out", source, "--force"]
        assert sketch_study("read", photo, *options) == 1
        assert f"{source.name}: is a file to read" in capsys.readouterr().err
        assert source.read_bytes() == before


def test_the_list_of_codes_is_not_the_folder_of_overlays(photo, tmp_path, capsys):
    for option in ("--overlay", "--report"):
        options = ["--out", tmp_path / "both", option, tmp_path / "both"]
        more = ["--manifest", "m.csv", "--truth", "t.csv"] if option == "--report" else []
        assert sketch_study("read", photo, *options, *more) == 1
        assert "both: cannot be a file and a folder; choose another" in capsys.readouterr().err
        assert sorted(path.name for path in tmp_path.iterdir()) == ["table.jpg"]


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are text elsewhere")
def test_a_photo_whose_name_is_no_text(photo, tmp_path, capsys):
    odd = photo.rename(tmp_path / os.fsdecode(b"t\xe4ble.jpg"))
    assert sketch_study("read", odd, "--out", tmp_path / "c.csv") == 0
    assert table(tmp_path / "c.csv")[1][0].endswith("t\\udce4ble.jpg")
    assert "t\\udce4ble.jpg: 14 cards" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        (lambda _: "card,code\n1,2\n", "cards.csv:1: no column set"),
        (lambda text: text.replace("00120000301", "00120000302"), "check digits"),
        (lambda text: text + text.splitlines()[3] + "\n", "cards.csv: code 0012000"),
        (
            lambda text: text.replace("5,5,66", "5,5,67", 1),
            "cards.csv: the manifest has cards of 2",
        ),
    ],
)
def test_invalid_manifests(photo, manifest, tmp_path, capsys, changed, words):
    text = manifest.read_text(encoding="utf-8")
    manifest.write_text(changed(text), encoding="utf-8")
    assert sketch_study("read", photo, "--manifest", manifest, "--out", tmp_path / "c.csv") == 1
    assert words in capsys.readouterr().err


def test_a_manifest_with_byte_order_mark_and_crlf(photo, manifest, tmp_path):
    text = manifest.read_text(encoding="utf-8")
    manifest.write_bytes(("\ufeff" + text.replace("\n", "\r\n")).encode())
    assert sketch_study("read", photo, "--manifest", manifest, "--out", tmp_path / "c.csv") == 0


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ([], "Missing option '--out'."),
        (["--out", "c.csv", "--groups", "0"], "--groups must be at least 1, not 0."),
        (
            ["--out", "c.csv", "--report", "report"],
            "The report is incomplete: add --truth CSV and --manifest CSV.",
        ),
        (
            ["--out", "c.csv", "--truth", "t.csv", "--manifest", "m.csv"],
            "The report is incomplete: add --report DIR.",
        ),
    ],
)
def test_wrong_usage_is_one_line(photo, capsys, options, sentence):
    assert sketch_study("read", photo, *options) == 2
    line = f"sketch-study read: {sentence} See sketch-study read --help.\n"
    assert capsys.readouterr().err == line


def test_the_report_for_a_bug_report(scene, photo, manifest, tmp_path, capsys):
    truth, report = tmp_path / "truth.csv", tmp_path / "report"
    rows = [f"{code},{group}\n" for code, group in scene.groups.items()]
    truth.write_text("code,group\n" + "".join(rows), encoding="utf-8")
    arguments = ["read", photo, "--out", tmp_path / "c.csv", "--report", report, "--truth", truth]
    assert sketch_study(*arguments) == 2
    assert "The report is incomplete: add --manifest CSV." in capsys.readouterr().err
    assert sketch_study(*arguments, "--manifest", manifest) == 0
    output = capsys.readouterr().out
    assert "14 of 14 cards in sight read, 0 wrong codes, groups correct" in output
    assert len(list(report.iterdir())) == 6
    assert sketch_study(*arguments, "--manifest", manifest, photo) == 2
    assert "one photo at a time" in capsys.readouterr().err
