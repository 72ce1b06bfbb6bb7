"""The demo is a whole study: made in one go, marked as simulated, read back without a fault."""

import csv
import re
import socket
import sqlite3
import subprocess
from contextlib import closing
from http.cookiejar import CookieJar
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, build_opener

import numpy as np
import pytest
from click.testing import CliRunner

from study_app.commands import demo as verb
from study_app.core.text.languages import is_shipped
from study_app.simulation.demo import drawing
from study_app.simulation.demo.assessors import sort_sketches
from tests.demo_fixtures import demo_command
from tests.served import Served
from tests.study_app.results.exports import psych_ds


def _sign_in(address):
    """Follow the link that a server printed, as a browser does; gives how pages are opened then."""
    browser = build_opener(HTTPCookieProcessor(CookieJar()))
    token = re.search('name="csrf-token" content="([^"]+)"', _read(browser, address))[1]
    form = {"csrf_token": token, "name": "Ada", "password": "a long enough one"}
    browser.addheaders += [("Referer", address)]
    browser.open(address, urlencode(form).encode()).close()
    root = address.split("/welcome/")[0]
    return lambda path: _read(browser, root + path)


def _read(browser, address):
    with browser.open(address, timeout=120) as answer:
        return answer.read().decode("utf-8")


@pytest.fixture
def made(demo):
    """The output of the demo, and its folder."""
    return demo.output, demo.folder


@pytest.fixture
def served(demo, tmp_path):
    """The demo's study, served."""
    server = Served(demo.copy(tmp_path / "demo-study"))
    yield server
    server.kill()


@pytest.mark.slow
def test_the_scale_of_the_demo_is_in_the_language_of_each_participant(demo):
    with closing(sqlite3.connect(demo.folder / "study.sqlite3")) as connection:
        ends = connection.execute("select low_label, high_label from ranking_task").fetchall()
    assert len(ends) == 1 and all(map(is_shipped, ends[0])), ends


@pytest.mark.slow
def test_every_served_page_is_marked_as_simulated(demo, served):
    assert re.search(r"Serving at http\S+", demo.output)
    page = _sign_in(served.welcome())
    home = page("/studies/1")
    steps = re.findall(r'href="(/studies/1/[^"]+)"', home.split('class="steps"')[1])
    assert len({*steps}) >= 6
    for path in {"/studies/1", "/studies/1/sittings/T001", "/studies/1/export/", *steps}:
        assert "Simulated data: a program made these judgments" in page(path), path
    assert "· simulated" in page("/")
    states = re.findall(r'class="state">([^<]*)<', home)
    assert states[0] == "40" and "12 of 12" in states and all(states)


def test_no_serve_stops_before_serving(tmp_path, monkeypatch):
    # Nothing is drawn here, and a server would find the port in use.
    monkeypatch.setattr(verb, "_make", lambda app, folder: (folder / "made").touch())
    with socket.create_server(("127.0.0.1", 0)) as taken:
        options = ["--out", str(tmp_path / "out"), "--port", str(taken.getsockname()[1])]
        done = CliRunner().invoke(verb.demo, [*options, "--no-serve"])
    assert (done.exit_code, (tmp_path / "out" / "made").is_file()) == (0, True), done.output
    assert "Serving" not in done.output


@pytest.mark.slow
def test_all_photographed_cards_and_groups_are_read(made):
    output, _folder = made
    read, lying, tables = re.search(r"(\d+) of (\d+) cards in (\d+) photos", output).groups()
    assert (read, lying) == ("240", "240")
    assert f"all groups right in {tables} of {tables}" in output


@pytest.mark.slow
def test_agreement_is_printed_with_its_chance_level(made):
    output, _folder = made
    found = re.findall(r"BCubed F ([\d.]+) between 6 assessors, ([\d.]+) by chance", output)
    assert len(found) == 2
    assert all(float(f) > float(chance) for f, chance in found)
    assert 0.5 < float(re.search(r"Kendall's W (\d?\.\d+)", output)[1]) <= 1


@pytest.mark.slow
def test_systems_with_less_noise_agree_better(made):
    output, _folder = made
    found = re.findall(r"(\w+) (\d?\.\d+) \[", output)
    assert [name for name, _tau in found] == ["sharp", "blurred", "guessing"]
    assert float(found[0][1]) > 0.6 > float(found[-1][1])


@pytest.mark.slow
def test_every_exported_judgment_is_marked_as_simulated(made):
    tables = [
        *made[1].glob("export/data/session-*.csv"),
        *made[1].glob("export/data/subject-*.csv"),
    ]
    assert len(tables) == 12 + 10
    for table in tables:
        with table.open(encoding="utf-8", newline="") as file:
            assert {row["simulated"] for row in csv.DictReader(file)} == {"true"}


@pytest.mark.slow
def test_the_export_passes_the_official_validator(made):
    assert psych_ds.errors(made[1] / "export") == []


@pytest.mark.slow
def test_the_matrices_are_exported(made):
    for name in ("shapes", "things"):
        matrix = np.load(made[1] / f"export/data/derived/set-{name}/similarity.npz")
        assert matrix["similarity"].shape == (20, 20)


@pytest.mark.slow
def test_the_study_itself_is_marked(made):
    connection = sqlite3.connect(made[1] / "study.sqlite3")
    assert connection.execute("select simulated from study").fetchall() == [(1,)]
    connection.close()


@pytest.mark.slow
def test_the_demo_can_be_backed_up(demo, typed, tmp_path):
    """Its photos of tables are where an installation stores photos."""
    folder = str(demo.copy(tmp_path / "demo-study"))
    assert typed("backup", "demo.backup", "--instance", folder)[0] == 0
    assert typed("restore", "demo.backup", "--instance", "restored")[0] == 0


def test_existing_files_are_not_overwritten(tmp_path):
    made = tmp_path / "demo-study"
    made.mkdir()
    (made / "notes.txt").write_text("mine", encoding="utf-8")
    command = demo_command(made, "--no-serve")
    again = subprocess.run(command, capture_output=True, text=True, encoding="utf-8")
    assert again.returncode == 1
    assert "already exists" in again.stderr
    assert [*tmp_path.rglob("*")] == [made, made / "notes.txt"]
    assert (made / "notes.txt").read_text(encoding="utf-8") == "mine"


def test_drawings_are_inside_the_box_and_differ():
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
