"""HPatches retrieval files: real tasks, and errors with their lines."""

import pytest

from analysis.errors import InputError
from analysis.files.hpatches.retrieval import read_results, read_task, write_results

POOL = "a.ref, a.e1, b.ref, b.e1"
QUERIES = ["a.ref.1", "b.ref.2"]


def _hits(query, count=50):
    names = [f"{image}.{k}" for k in range(1, 14) for image in POOL.split(", ")]
    return [name for name in names if name != query][:count]


@pytest.fixture
def files(tmp_path):
    (tmp_path / "t.benchmark").write_text("\n".join([POOL, *QUERIES]) + "\n")
    (tmp_path / "t.labels").write_text(f"{POOL}\na.ref.1,a.e1.1\nb.ref.2,b.e1.2\n")
    rows = [", ".join([query, *_hits(query)]) for query in QUERIES]
    (tmp_path / "t.results").write_text("\n".join([POOL, *rows]) + "\n")
    return tmp_path


def _edit(path, line, change):
    lines = path.read_text().split("\n")
    lines[line - 1] = change(lines[line - 1])
    path.write_text("\n".join(lines))


def test_reads_what_it_writes(files):
    task = read_task(files / "t.benchmark", files / "t.labels")
    found = read_results(files / "t.results", task)
    assert task.same_patch == [["a.e1.1"], ["b.e1.2"]]
    assert found[0] == _hits("a.ref.1")
    write_results(files / "again.results", task.pool, task.queries, found)
    assert read_results(files / "again.results", task) == found


@pytest.mark.parametrize("name", ["train_easy_5s_00", "train_hard_5s_01"])
def test_real_tasks(shared_data, name):
    folder = shared_data / "hpatches_tasks"
    task = read_task(folder / f"{name}.benchmark", folder / f"{name}.labels")
    assert len(task.pool) == 30 and len(task.queries) == 500
    assert {len(same) for same in task.same_patch} == {5}


def test_the_real_example(shared_data):
    folder = shared_data / "hpatches_examples" / "retrieval"
    task = read_task(folder / "train_example.benchmark", folder / "train_example.labels")
    assert len(task.queries) == 50


@pytest.mark.parametrize(
    ("line", "change", "finding"),
    [
        (
            1,
            lambda row: row + ", c.ref",
            r":1: its pool is not the benchmark's \(c.ref is only",
        ),
        (
            1,
            lambda row: "a.ref, a.e1",
            r":1: its pool is not .* \(b.e1 is only in the benchmark's",
        ),
        (
            2,
            lambda row: row.replace("a.ref.1,", "a.e1.1,", 1),
            r":2: begins with 'a.e1.1'; expected",
        ),
        (3, lambda row: row + ", a.ref.77", r":3: has 52 entries; 51 are needed"),
        (3, lambda row: row.rsplit(",", 1)[0], r":3: has 50 entries; 51 are needed"),
        (3, lambda row: row.rsplit(",", 1)[0] + ",a.ref.1", r":3: lists a.ref.1 twice"),
        (3, lambda row: row.rsplit(",", 1)[0] + ",c.ref.1", r":3: c.ref.1 is not in the pool"),
        (3, lambda row: row.rsplit(",", 1)[0] + ",a.ref.x", r":3: 'a.ref.x' is not a patch"),
        (3, lambda row: row.rsplit(",", 1)[0] + ",a.ref", r":3: 'a.ref' is not a patch"),
        (3, lambda row: "", r":2: has results for 1 query; t.benchmark has 2"),
        (
            4,
            lambda row: ", ".join(["b.ref.2", *_hits("b.ref.2")]),
            r":4: has results for 3 queries",
        ),
    ],
)
def test_refuses_results(files, line, change, finding):
    task = read_task(files / "t.benchmark", files / "t.labels")
    _edit(files / "t.results", line, change)
    with pytest.raises(InputError, match=finding):
        read_results(files / "t.results", task)


@pytest.mark.parametrize(
    ("line", "row", "finding"),
    [
        (1, "", r":2: 'a.ref.1' is not an image"),
        (1, "a.ref,a.ref,b.ref,b.e1", r":1: names an image of the pool twice"),
        (2, "c.ref.1", r":2: c.ref.1 is not in the pool"),
        (2, "a.ref.1,a.ref.2", r":2: has 2 names; a query is one patch"),
        (3, "a.ref.1", r":3: repeats query a.ref.1 \(first on line 2\)"),
    ],
)
def test_refuses_benchmarks(files, line, row, finding):
    _edit(files / "t.benchmark", line, lambda _: row)
    with pytest.raises(InputError, match=finding):
        read_task(files / "t.benchmark")


@pytest.mark.parametrize(
    ("line", "row", "finding"),
    [
        (1, "a.ref,a.e1,b.ref", r":1: its pool is not"),
        (2, "", r"has no labels for query a.ref.1"),
        (2, "a.ref.1,a.e1.1,a.e1.1", r":2: lists a patch twice"),
        (3, "a.ref.1,a.e1.1", r":3: labels query a.ref.1 again"),
        (3, "b.ref.2,c.e1.2", r":3: c.e1.2 is not in the pool"),
    ],
)
def test_refuses_labels(files, line, row, finding):
    _edit(files / "t.labels", line, lambda _: row)
    with pytest.raises(InputError, match=finding):
        read_task(files / "t.benchmark", files / "t.labels")


def test_refuses_an_empty_file(files):
    (files / "t.benchmark").write_text("\n")
    with pytest.raises(InputError, match="is empty"):
        read_task(files / "t.benchmark")
    (files / "t.benchmark").write_text(POOL)
    with pytest.raises(InputError, match="has no queries"):
        read_task(files / "t.benchmark")
