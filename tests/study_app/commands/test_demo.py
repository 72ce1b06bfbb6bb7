"""The demo is a whole study: made in one go, marked as simulated, read back without a fault."""

import csv
import re
import sqlite3
import subprocess
import sys

import numpy as np
import pytest

from study_app.demo import drawing
from study_app.demo.assessors import sort_sketches


def _demo(folder):
    command = [sys.executable, "-m", "study_app", "demo", "--no-serve", "--out", str(folder)]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """What the demo printed, and the folder that it made."""
    folder = tmp_path_factory.mktemp("demo") / "demo-study"
    done = _demo(folder)
    assert done.returncode == 0, done.stderr
    return done.stdout, folder


def test_every_photographed_card_is_read_and_every_group_comes_back(made):
    said, _folder = made
    read, lying, tables = re.search(r"(\d+) of (\d+) cards in (\d+) photos", said).groups()
    assert (read, lying) == ("240", "240")
    assert f"as they were laid in {tables} of {tables}" in said


def test_agreement_is_printed_beside_chance(made):
    said, _folder = made
    found = re.findall(r"BCubed F ([\d.]+) between 6 assessors, ([\d.]+) by chance", said)
    assert len(found) == 2
    assert all(float(f) > float(chance) for f, chance in found)
    assert 0.5 < float(re.search(r"Kendall's W (\d\.\d+)", said)[1]) <= 1


def test_systems_come_as_close_as_their_noise_lets_them(made):
    said, _folder = made
    found = re.findall(r"(\w+) (-?\d\.\d+) \[", said)
    assert [name for name, _tau in found] == ["sharp", "blurred", "guessing"]
    assert float(found[0][1]) > 0.6 > float(found[-1][1])


def test_every_exported_judgment_is_marked_as_simulated(made):
    tables = [
        *made[1].glob("export/data/session-*.csv"),
        *made[1].glob("export/data/subject-*.csv"),
    ]
    assert len(tables) == 12 + 10
    for table in tables:
        with table.open(encoding="utf-8", newline="") as file:
            assert {row["simulated"] for row in csv.DictReader(file)} == {"true"}


def test_the_matrices_are_exported(made):
    for name in ("shapes", "things"):
        matrix = np.load(made[1] / f"export/data/derived/set-{name}/similarity.npz")
        assert matrix["similarity"].shape == (20, 20)


def test_the_study_itself_is_marked(made):
    connection = sqlite3.connect(made[1] / "study.sqlite3")
    assert connection.execute("select simulated from study").fetchall() == [(1,)]
    connection.close()


def test_nothing_is_written_over(made):
    again = _demo(made[1])
    assert again.returncode == 1
    assert "exists already" in again.stderr
    assert not [p for p in made[1].parent.iterdir() if p != made[1]]


def test_hands_draw_inside_the_box_and_differ():
    rng = np.random.default_rng(1)
    for shape in drawing.SHAPES:
        by_hand = [drawing.draw(shape, hand, rng) for hand in drawing.HANDS.values()]
        for strokes in by_hand:
            points = np.vstack(strokes)
            assert points.min() >= 0
            assert points.max() <= drawing.BOX
        assert len({np.vstack(strokes).tobytes() for strokes in by_hand}) == len(by_hand)


def test_an_assessor_puts_every_sketch_into_one_group():
    names = [f"{shape}-{hand}" for shape in ("circle", "star") for hand in drawing.HANDS]
    groups = sort_sketches(names, np.random.default_rng(3))
    assert sorted(name for group in groups for name in group) == sorted(names)
