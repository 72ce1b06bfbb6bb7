"""`sketch-study analyse ratings`."""

import csv
import json
from functools import partial

import numpy as np
import pytest
from PIL import Image

from analysis.figures import style

HEADER = "participant_id,query_id,stimulus_id,score\n"
# Shrout & Fleiss 1979, table 2, as scores of one query by four judges, and a second query.
JUDGES = [[9, 6, 8, 7, 10, 6], [2, 1, 4, 1, 5, 2], [5, 3, 6, 2, 6, 4], [8, 2, 8, 6, 9, 7]]
SCORES = [(p, s, score) for p, row in enumerate(JUDGES) for s, score in enumerate(row)]
CONTENT = (
    HEADER
    + "".join(f"p{p},q1,s{s},{score}\n" for p, s, score in SCORES)
    + "p0,q2,a,1\np0,q2,b,2\np1,q2,a,1\n"
)


@pytest.fixture
def run(analysed):
    """Analyse a table of ratings."""
    return partial(analysed, "ratings")


def test_truth_agreement_and_figure_are_written(run):
    folder, status, out, err = run(CONTENT, "--scale-best", "high")
    assert (status, err) == (0, "")
    assert out.startswith("4 participants, 2 queries, 3 of 4 complete; Kendall's W ")
    assert {path.name for path in folder.iterdir()} == {
        "agreement.json",
        "agreement.png",
        "agreement.pdf",
        "agreement.svg",
        "ground_truth.csv",
        "queries",
    }
    names = {path.name for path in (folder / "queries").iterdir()}
    assert names == {"q1.png", "q1.svg", "q2.png", "q2.svg"}
    with (folder / "ground_truth.csv").open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        rows = list(reader)
    assert reader.fieldnames == ["query_id", "stimulus_id", "mean", "n", "sd", "se", "rank"]
    first = {row["stimulus_id"]: row for row in rows if row["query_id"] == "q1"}
    assert first["s4"] | {"sd": "", "se": ""} == {
        "query_id": "q1",
        "stimulus_id": "s4",
        "mean": "7.5",
        "n": "4",
        "sd": "",
        "se": "",
        "rank": "1.0",
    }
    assert float(first["s0"]["se"]) == pytest.approx(float(first["s0"]["sd"]) / 2)
    assert rows[-1]["sd"] == ""


def test_the_record_has_the_published_values_and_null_if_undefined(run):
    folder, *_ = run(CONTENT, "--scale-best", "high", "--seed", "3")
    record = json.loads((folder / "agreement.json").read_text(encoding="utf-8"))
    assert (record["scale_best"], record["seed"], record["queries"]) == ("high", 3, 2)
    forms = record["by_query"]["q1"]["icc"]
    assert list(forms) == ["ICC(1,1)", "ICC(2,1)", "ICC(3,1)", "ICC(1,k)", "ICC(2,k)", "ICC(3,k)"]
    expected = [0.166, 0.290, 0.715, 0.443, 0.620, 0.909]
    assert list(forms.values()) == pytest.approx(expected, abs=6e-4)
    assert record["by_query"]["q2"]["kendall_w"]["w"] is None


def test_the_direction_is_required(run):
    folder, status, _, err = run(CONTENT)
    assert status == 2
    assert "--scale-best" in err
    assert not folder.exists()


@pytest.mark.slow
def test_the_same_command_writes_the_same_bytes(run):
    first, *_ = run(CONTENT, "--scale-best", "low")
    second, *_ = run(CONTENT, "--scale-best", "low", out="again")
    paths = [path for path in first.rglob("*") if path.is_file()]
    assert len(paths) == 9
    for path in paths:
        assert path.read_bytes() == (second / path.relative_to(first)).read_bytes(), path.name


def test_an_invalid_score_is_an_error_and_nothing_is_written(run):
    folder, status, _, err = run(HEADER + "p,q,a,much\n", "--scale-best", "low")
    assert status == 1
    assert err.endswith("ratings.csv:2: score is 'much'; a finite number is needed.\n")
    assert not folder.exists()


def test_with_one_participant_agreement_is_undefined_and_this_is_printed(run):
    _, status, out, _ = run(HEADER + "p,q,a,1\np,q,b,2\n", "--scale-best", "low")
    assert status == 0
    assert "agreement undefined" in out


def test_a_constant_mean_has_an_undefined_upper_ceiling(run):
    scores = "p,q,a,1\np,q,b,2\nr,q,a,2\nr,q,b,1\n"
    _, status, out, _ = run(HEADER + scores, "--scale-best", "low")
    assert status == 0
    assert "leave-one-out tau_b −1.00 to –; " in out
    assert "split-half tau_b of the means −1.00\n" in out


@pytest.fixture
def pictures(tmp_path):
    """A folder with the pictures of one query and of most stimuli, each in a different shade."""
    folder = tmp_path / "pictures"
    folder.mkdir()
    for shade, name in enumerate(("q1", "s0", "s1", "s2", "s3", "s4", "a", "b")):
        Image.new("L", (24, 24), 20 * shade).save(folder / f"{name}.png")
    return folder


def test_images_are_in_the_order_of_the_mean_and_missing_ones_are_listed(run, pictures):
    folder, status, _, err = run(CONTENT, "--scale-best", "high", "--images", str(pictures))
    assert (status, err) == (
        0,
        f"{pictures}: pictures of 1 of 2 queries are missing (q2); drawn as empty frames\n"
        f"{pictures}: pictures of 1 of 8 stimuli are missing (s5); drawn as empty frames\n",
    )
    with (folder / "ground_truth.csv").open(encoding="utf-8", newline="") as file:
        first = [row for row in csv.DictReader(file) if row["query_id"] == "q1"]
    first.sort(key=lambda row: float(row["rank"]))
    assert [row["stimulus_id"] for row in first] == ["s4", "s2", "s0", "s5", "s3", "s1"]
    with Image.open(folder / "queries" / "q1.png") as sheet:
        shades = sheet.convert("L")
        # Centres of the images in the first row, 0.7 inches apart.
        dpi = style.PRINTED_DPI
        row = [shades.getpixel((int(dpi * (1.85 + 0.7 * k)), dpi * 6 // 10)) for k in range(6)]
    assert row[:3] + row[4:] == [100, 60, 20, 80, 40]


def test_sketches_may_be_in_a_second_folder(run, pictures, tmp_path):
    sketches = tmp_path / "sketches"
    sketches.mkdir()
    (pictures / "q1.png").rename(sketches / "q1.png")
    folders = ("--images", str(pictures), "--images", str(sketches))
    _, status, _, err = run(CONTENT, "--scale-best", "high", *folders)
    assert status == 0
    assert "1 of 2 queries are missing (q2)" in err


def test_a_folder_without_matching_pictures_is_an_error(run, tmp_path):
    empty = tmp_path / "empty"
    empty.mkdir()
    folder, status, _, err = run(CONTENT, "--scale-best", "high", "--images", str(empty))
    assert status == 1
    assert f"{empty}: has no picture named after a stimulus, such as s0.png" in err
    assert not folder.exists()


def test_an_unreadable_picture_leaves_no_files(run, pictures):
    (pictures / "s3.png").write_bytes(b"no picture")
    folder, status, _, err = run(CONTENT, "--scale-best", "high", "--images", str(pictures))
    assert status == 1
    assert "s3.png: cannot be read as a picture" in err
    assert not folder.exists()


@pytest.mark.slow
@pytest.mark.parametrize("query", ["../../out", "a/b", "CON", "...", "a" * 300])
def test_a_query_id_is_never_used_as_a_path(run, query):
    folder, status, _, _ = run(HEADER + f"p,{query},a,1\np,A?B,a,2\n", "--scale-best", "low")
    assert status == 0
    found = [path for path in folder.parent.rglob("*.svg") if path.name != "agreement.svg"]
    assert {path.parent for path in found} == {folder / "queries"}
    assert len(found) == 2


def test_with_very_many_queries_only_the_first_are_drawn_and_this_is_printed(run, monkeypatch):
    monkeypatch.setattr("analysis.figures.queries.MAX_FIGURES", 1)
    folder, status, _, err = run(CONTENT, "--scale-best", "high")
    assert (status, err) == (0, "drew only the first 1 of 2 queries\n")
    assert sorted(path.name for path in (folder / "queries").iterdir()) == ["q1.png", "q1.svg"]


@pytest.mark.slow
def test_real_objects_are_in_the_order_in_which_people_recognised_them(run, shared_data):
    """Of 32 objects, the robin is chosen most often for sketches of a robin, and is drawn first."""
    real = shared_data / "judgments" / "graphcomm"
    objects = sorted(path.stem for path in (real / "objects").glob("*.png"))
    chosen = {}
    with (real / "judgments_bird_car.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["target"] == "robin":
                chosen.setdefault(row["judge"], []).append(row["choice"])
    rows = "".join(
        f"{judge},robin,{name},{choices.count(name)}\n"
        for judge, choices in chosen.items()
        for name in objects
    )
    folder, status, _, err = run(
        HEADER + rows, "--scale-best", "high", "--images", str(real / "objects")
    )
    assert (status, err) == (0, "")
    with Image.open(folder / "queries" / "robin.png") as sheet:
        # Positions of the sketch and of the images in the first row.
        row = ((477 + 210 * k, 141, 627 + 210 * k, 291) for k in range(8))
        sketch, *cards = (
            np.asarray(sheet.convert("RGB").crop(place).resize((24, 24)), dtype=float)
            for place in ((36, 138, 402, 504), *row)
        )
    apart = [np.abs(card - sketch).mean() for card in cards]
    assert np.argmin(apart) == 0
