"""Results for many HPatches tasks from one command, and their evaluation."""

import csv
import json

import numpy as np
import pytest

from study_app.cli import main


def _call(*arguments, code=0):
    with pytest.raises(SystemExit) as left:
        main(["evaluate", *map(str, arguments)])
    assert left.value.code == code


@pytest.fixture(scope="module")
def described(shared_data, tmp_path_factory):
    """Descriptors of every image in the real tasks, up to the highest patch index."""
    tasks, folder = shared_data / "hpatches_tasks", tmp_path_factory.mktemp("descriptors")
    most = {}
    for path in [*tasks.glob("*.pairs"), *tasks.glob("*.benchmark"), *tasks.glob("*5s*.labels")]:
        for name in path.read_text().replace("\n", ",").split(","):
            image, _, index = name.strip().rpartition(".")
            if index.isdecimal():
                most[image] = max(most.get(image, 0), int(index) + 1)
            elif name.strip().count(".") == 1:
                most.setdefault(name.strip(), 0)
    points = {}
    for image, count in most.items():
        sequence, _, name = image.partition(".")
        kept = points.get(sequence, np.zeros((0, 8)))
        new = np.random.default_rng(len(points)).normal(size=(max(count - len(kept), 0), 8))
        points[sequence] = np.concatenate((kept, new))
        (folder / sequence).mkdir(exist_ok=True)
    for image in most:
        sequence, _, name = image.partition(".")
        noise = np.random.default_rng(list(most).index(image)).normal(size=points[sequence].shape)
        np.save(folder / sequence / f"{name}.npy", points[sequence] + 0.22 * noise)
    return folder


@pytest.mark.slow
def test_a_folder_of_real_tasks_gets_results_that_can_be_evaluated(
    shared_data, described, tmp_path, capsys
):
    tasks = shared_data / "hpatches_tasks"
    results = tmp_path / "results"
    _call("hpatches-results", described, tasks, "--out", results)
    assert capsys.readouterr().out.count("\n") == 5
    stems = ["train_easy_5s_00", "train_hard_5s_01"]
    one = tmp_path / "alone.results"
    for stem in stems:
        _call("hpatches-results", described, tasks / f"{stem}.benchmark", "--out", one, "--force")
        assert one.read_bytes() == (results / f"{stem}.results").read_bytes()
        files = [f"--{end}={tasks / stem}.{end}" for end in ("benchmark", "labels")]
        _call(
            *("hpatches-retrieval", results / f"{stem}.results", *files, "--out", tmp_path / stem)
        )
        record = json.loads((tmp_path / stem / "evaluation.json").read_text())
        assert 0.4 < record["patch_map"] < 1 and record["queries"] == 500
    # The task in the second format and the pairs in the first format are the same pairs.
    second = (results / "train_example.results").read_text().splitlines()
    first = [
        line
        for kind in ("pos", "neg")
        for line in (results / f"train_example_{kind}.with_label.results").read_text().splitlines()
    ]
    assert [line.split(",")[0] for line in first] == second
    _call(
        *("hpatches-classification", results / "train_example.results"),
        *("--labels", tasks / "train_example.labels", "--out", tmp_path / "c"),
    )
    _call(
        "hpatches-classification",
        *(results / f"train_example_{kind}.with_label.results" for kind in ("pos", "neg")),
        *("--out", tmp_path / "l"),
    )
    records = [json.loads((tmp_path / name / "evaluation.json").read_text()) for name in "cl"]
    assert records[0]["ap"] == records[1]["ap"] and records[0]["negatives"] == 2000


@pytest.mark.slow
def test_results_of_the_first_format_are_evaluated_as_a_folder(shared_data, described, tmp_path):
    tasks, mine = tmp_path / "tasks", tmp_path / "results" / "mine"
    tasks.mkdir()
    source = shared_data / "hpatches_tasks"
    for name in ("train_easy_pos", "train_hard_pos", "train_diffseq_neg", "train_sameseq_neg"):
        pairs = source / f"train_example_{name[-3:]}.with_label.pairs"
        (tasks / f"{name}.pairs").write_bytes(pairs.read_bytes())
    for distance in ("l1", "l2", "cosine"):
        out = mine if distance == "l2" else mine.with_name(distance)
        _call("hpatches-results", described, tasks, "--distance", distance, "--out", out)
    folders = [mine, mine.with_name("l1"), mine.with_name("cosine")]
    _call("hpatches-classification", *folders, "--out", tmp_path / "out")
    with (tmp_path / "out" / "systems.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 3 * 4 * 2
    assert {row["descriptor"] for row in rows} == {"mine", "l1", "cosine"}
    assert all(0.9 < float(row["auc"]) <= 1 for row in rows)


def test_one_invalid_task_leaves_no_files(shared_data, described, tmp_path, capsys):
    tasks = [shared_data / "hpatches_tasks" / "train_easy_5s_00.benchmark", tmp_path / "x.pairs"]
    out = tmp_path / "out"
    for text, finding in (
        ("i_fenis.ref.1\n", r"x.pairs:1: has 1 cell instead"),
        ("i_fenis.ref.1,v_nowhere.e1.3\n", "there is no .csv or .npy of image v_nowhere.e1"),
        ("i_fenis.ref.1,i_fenis.e1.99999\n", "has no descriptor of patch i_fenis.e1.99999"),
    ):
        tasks[1].write_text(text)
        _call("hpatches-results", described, *tasks, "--out", out, code=1)
        errors = capsys.readouterr().err
        assert finding in errors and errors.count("\n") == 1
        assert not out.exists()


def test_existing_results_are_not_overwritten(shared_data, described, tmp_path, capsys):
    out = tmp_path / "out"
    out.mkdir()
    (out / "train_example.results").write_text("mine")
    tasks = shared_data / "hpatches_tasks"
    _call("hpatches-results", described, tasks, "--out", out, code=1)
    assert "train_example.results: already exists" in capsys.readouterr().err
    assert (out / "train_example.results").read_text() == "mine" and len(list(out.iterdir())) == 1
    _call("hpatches-results", described, tasks, "--out", out, "--force")
    assert len(list(out.iterdir())) == 5


def test_one_task_gives_a_file_and_several_give_a_folder(shared_data, described, tmp_path, capsys):
    tasks = shared_data / "hpatches_tasks"
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    one = tasks / "train_example.benchmark"
    _call("hpatches-results", described, one, "--out", tmp_path / "folder", "--force", code=1)
    assert f"{tmp_path / 'folder'}: is a folder; name a file" in capsys.readouterr().err
    _call("hpatches-results", described, tasks, "--out", tmp_path / "file", "--force", code=1)
    assert f"{tmp_path / 'file'}: is a file; name a folder" in capsys.readouterr().err


def test_the_error_names_a_descriptor_that_cannot_be_compared(tmp_path, capsys):
    names = [f"v_a.{image}.{k}" for image in ("ref", "e1") for k in range(30)]
    (tmp_path / "t.benchmark").write_text("v_a.ref,v_a.e1\nv_a.ref.1\n")
    lines = [f"{name},{k % 7},{k % 7}\n" for k, name in enumerate(names)]
    (tmp_path / "d.csv").write_text("".join(lines))
    task = ("hpatches-results", tmp_path / "d.csv", tmp_path / "t.benchmark")
    _call(*task, "--distance", "cosine", "--out", tmp_path / "x", code=1)
    errors = capsys.readouterr().err
    assert "t.benchmark with " in errors and "d.csv: descriptor v_a.ref.0 is all zeros" in errors
    (tmp_path / "d.csv").write_text("".join(f"{name},1.5\n" for name in names))
    _call(*task, "--distance", "hamming", "--out", tmp_path / "x", code=1)
    assert "d.csv: hamming needs packed bits" in capsys.readouterr().err
    (tmp_path / "d.csv").write_text("".join(f"{name},1.5\n" for name in names[10:]))
    _call(*task, "--out", tmp_path / "x", code=1)
    assert "d.csv: has no descriptor of patch v_a.ref.1" in capsys.readouterr().err
    (tmp_path / "d.csv").write_text("".join(f"{name},1.5\n" for name in names[1:50]))
    _call(*task, "--out", tmp_path / "x", code=1)
    assert "the pool has only 49 patches, but 51 should be found" in capsys.readouterr().err
