"""`evaluate hpatches-retrieval`: from descriptors to the numbers."""

import json

import numpy as np
import pytest

from study_app.cli import main


def _call(*arguments):
    with pytest.raises(SystemExit) as left:
        main(["evaluate", *map(str, arguments)])
    return left.value.code


def _record(folder):
    return json.loads((folder / "evaluation.json").read_text())


@pytest.fixture
def task(tmp_path):
    """Two sequences of three images with 20 patches; the descriptor knows patch and sequence."""
    rng = np.random.default_rng(1)
    images = ["ref", "e1", "e2"]
    pool = ",".join(f"{s}.{i}" for s in ("v_a", "v_b") for i in images)
    queries = ["v_a.ref.3", "v_b.e1.0", "v_b.ref.19"]
    labels = [
        ",".join([q, *(f"{q[:3]}.{i}.{q.split('.')[2]}" for i in images if f".{i}." not in q)])
        for q in queries
    ]
    (tmp_path / "t.benchmark").write_text("\n".join([pool, *queries]))
    (tmp_path / "t.labels").write_text("\n".join([pool, *labels]))
    for place, sequence in enumerate(("v_a", "v_b")):
        points = rng.normal(size=(20, 8))
        points[:, 0] += 100 * place
        for image in images:
            folder = tmp_path / "desc" / sequence
            folder.mkdir(parents=True, exist_ok=True)
            np.save(folder / f"{image}.npy", points + 1e-3 * rng.normal(size=points.shape))
    return tmp_path


def test_from_descriptors_to_the_numbers_of_retrieval(task, capsys):
    results = task / "results" / "t.results"
    command = ("hpatches-results", task / "desc", task / "t.benchmark", "--out", results)
    assert _call(*command) == 0
    assert _call(*command) == 1  # it is there
    files = ("--benchmark", task / "t.benchmark", "--labels", task / "t.labels", results)
    capsys.readouterr()
    named = ("--name", "t=Ours", "--latex", "--out", task / "out")
    assert _call("hpatches-retrieval", *files, *named) == 0
    assert capsys.readouterr().out.splitlines()[1].split() == ["Ours", "1.0000", "1.0000"]
    assert "Ours & 1.0000" in (task / "out" / "systems.tex").read_text()
    assert _record(task / "out")["patch_map"] == 1.0
    assert _record(task / "out")["image_map"] == 1.0
    assert _record(task / "out")["queries"] == 3
    compat = ("--compat", "hbench", "--out", task / "hbench")
    assert _call("hpatches-retrieval", *files, *compat) == 0
    assert _record(task / "hbench")["patch_map_printed"] == 0.75
