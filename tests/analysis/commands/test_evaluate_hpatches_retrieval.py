"""`evaluate hpatches-retrieval`: from descriptors to results."""

import json

import pytest

from study_app.cli import main


def _call(*arguments):
    with pytest.raises(SystemExit) as left:
        main(["evaluate", *map(str, arguments)])
    return left.value.code


def _record(folder):
    return json.loads((folder / "evaluation.json").read_text())


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
