"""Anonymised reports of a photo: what they contain, and what they leave out."""

import csv
import hashlib
import io
import json
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from printables.cards.manifest import ManifestRow, read_manifest
from printables.errors import PaperError
from printables.reading.deck.known_deck import KnownDeck
from printables.reading.photos.photo import load_colour
from printables.reading.reader import read_photo
from printables.reading.report import TrueCard, compare, read_truth, write_report
from tests.bench.scenes import ORDINARY, photograph, print_cards

SECRET = "Zoë Example"


@pytest.fixture(scope="module")
def scene():
    return photograph(print_cards(40), 14, replace(ORDINARY, megapixels=3), seed=3)


@pytest.fixture(scope="module")
def reading(scene):
    return read_photo(scene.jpeg, print_cards(40).deck)


@pytest.fixture(scope="module")
def truth(scene):
    return [TrueCard(code, f"{SECRET} {group}") for code, group in scene.groups.items()]


@pytest.fixture
def photo(scene, tmp_path):
    exif, path = Image.Exif(), tmp_path / f"{SECRET}.jpg"
    exif[0x010F], exif[0x0112] = SECRET, 6
    exif.get_ifd(0x8825).update({1: "N", 2: (51.0, 3.0, 7.0)})
    with Image.open(io.BytesIO(scene.jpeg)) as picture:
        picture.save(path, "JPEG", exif=exif, comment=SECRET.encode(), quality=90)
    return path


@pytest.fixture
def manifest():
    size = (print_cards(40).deck.layout.width_mm, print_cards(40).deck.layout.height_mm)
    return [
        ManifestRow(int(code[4:9]), code, SECRET, SECRET, "A", 1, 5, 5, *size)
        for code in print_cards(40).deck.codes
    ]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "report").mkdir()
    return tmp_path / "report"


def test_the_report_has_the_photo_its_ground_truth_and_its_hashes(
    folder, photo, manifest, truth, reading, scene
):
    found = write_report(folder, photo, manifest, truth, reading)
    assert (found.cards, found.read, found.wrong, found.groups_exact) == (14, 14, (), True)
    assert np.array_equal(load_colour(folder / "photo.jpg"), load_colour(photo))
    rows = list(csv.DictReader((folder / "truth.csv").read_text(encoding="utf-8").splitlines()))
    assert {row["code"]: row["in_sight"] for row in rows} == dict.fromkeys(scene.groups, "yes")
    pairs = {(scene.groups[row["code"]], row["group"]) for row in rows}
    assert len(pairs) == len(set(scene.groups.values()))
    deck = KnownDeck.from_manifest(read_manifest(folder / "deck.csv"))
    assert deck == KnownDeck.from_manifest(manifest)
    about = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    assert about["result"]["read"] == 14 and about["module_px"] > 2
    assert about["photo"] == {"file": "photo.jpg", "width": reading.width, "height": reading.height}
    sums = (folder / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
    assert [line.split("  ")[1] for line in sums] == [
        "deck.csv",
        "photo.jpg",
        "read.csv",
        "report.json",
        "truth.csv",
    ]
    for line in sums:
        digest, name = line.split("  ")
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest


def test_nothing_identifies_a_person_or_a_machine(folder, photo, manifest, truth, reading):
    write_report(folder, photo, manifest, truth, reading)
    for file in folder.iterdir():
        content = file.read_bytes()
        for word in (SECRET, "Example", str(photo.parent), photo.parent.name):
            assert word.encode() not in content, (file.name, word)
    with Image.open(folder / "photo.jpg") as picture:
        assert dict(picture.getexif()) == {0x0112: 6}


def test_missed_and_wrong_codes(reading, truth):
    (first, *others) = truth
    hidden = replace(others[0], in_sight=False)
    absent = print_cards(40).deck.codes
    missed = next(code for code in absent if code not in {card.code for card in truth})
    found = compare(reading, [hidden, *others[1:], TrueCard(missed, "1")])
    assert (found.cards, found.read) == (13, 12)
    assert (found.missed, found.wrong) == ((missed,), (first.code,))
    apart = [replace(card, group=str(n)) for n, card in enumerate(truth)]
    assert not compare(reading, apart).groups_exact


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("code,set\n1,2\n", r"truth.csv:1: no column group"),
        ("code,group\n123,1\n", r"truth.csv:2: "),
        ("code,group\n{0},\n", r"truth.csv:2: card {0} has no group"),
        ("code,group\n{0},1\n{0},2\n", r"truth.csv:3: code {0} is listed twice"),
        ("code,group,in_sight\n{0},1,maybe\n", r"truth.csv:2: in_sight is 'maybe'"),
        ("code,group\n", r"truth.csv: lists no card"),
    ],
)
def test_invalid_ground_truth_is_refused_with_its_line(tmp_path, text, message):
    code = print_cards(40).deck.codes[0]
    path = tmp_path / "truth.csv"
    path.write_text(text.format(code), encoding="utf-8")
    with pytest.raises(PaperError, match=message.format(code)):
        read_truth(path)


def test_the_output_of_read_can_be_used_as_ground_truth(tmp_path):
    code = print_cards(40).deck.codes[0]
    path = tmp_path / "truth.csv"
    path.write_text(f"photo,code,group,x1\nt.jpg,{code},3,1.5\n", encoding="utf-8-sig")
    assert read_truth(path) == [TrueCard(code, "3")]


def test_a_photo_whose_metadata_cannot_be_removed_is_refused(
    folder, tmp_path, manifest, truth, reading
):
    heic = tmp_path / "photo.heic"
    heic.write_bytes(b"\0\0\0\x18ftypheic" + bytes(40))
    with pytest.raises(PaperError, match="save it as JPEG or PNG"):
        write_report(folder, heic, manifest, truth, reading)
    assert not list(folder.iterdir())
