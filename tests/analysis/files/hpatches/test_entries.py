"""HPatches tasks: their files, alone and in folders, also real ones."""

import shutil

import pytest

from analysis.errors import InputError
from analysis.files.hpatches.entries import PairsTask, read_entry, task_files
from analysis.files.hpatches.retrieval import RetrievalTask


def _write(folder, **texts):
    folder.mkdir(exist_ok=True)
    for name, text in texts.items():
        (folder / name.replace("__", ".")).write_text(text)
    return folder


def test_a_benchmark_names_its_pairs_in_their_order(tmp_path):
    folder = _write(
        tmp_path / "t",
        x__benchmark="x_pos.pairs\n\nx_neg.pairs\n",
        x_pos__pairs="v_a.ref.1, v_a.e1.1\n",
        x_neg__pairs="v_a.ref.1,v_b.e1.2\r\nv_a.ref.2,v_b.e1.3\r\n",
    )
    task = read_entry(folder / "x.benchmark")
    assert isinstance(task, PairsTask)
    assert task.pairs.rows() == [
        ("v_a.ref.1", "v_a.e1.1"),
        ("v_a.ref.1", "v_b.e1.2"),
        ("v_a.ref.2", "v_b.e1.3"),
    ]
    assert task_files([folder]) == [folder / "x.benchmark"]


def test_pairs_not_named_by_a_benchmark_are_tasks_of_their_own(tmp_path):
    folder = _write(
        tmp_path / "t",
        r__benchmark="v_a.ref,v_a.e1\nv_a.ref.1\n",
        a_pos__pairs="v_a.ref.1,v_a.e1.1,1\n",
        a_neg__pairs="v_a.ref.1,v_a.e1.2,0\n",
        r__labels="",
    )
    names = ["r.benchmark", "a_neg.pairs", "a_pos.pairs"]
    files = task_files([folder])
    assert files == [folder / name for name in names]
    assert isinstance(read_entry(files[0]), RetrievalTask)
    assert read_entry(files[2]).pairs.rows() == [("v_a.ref.1", "v_a.e1.1", 1)]


def test_refusals(tmp_path):
    empty = _write(tmp_path / "empty", README__md="")
    with pytest.raises(InputError, match=r"empty: has no \.benchmark"):
        task_files([empty])
    one = _write(tmp_path / "one", t__benchmark="v_a.ref\nv_a.ref.1\n", T__pairs="a.b.1,a.b.2\n")
    with pytest.raises(InputError, match=r"as for .*t\.benchmark; evaluate one"):
        task_files([one / "t.benchmark", one / "T.pairs"])
    with pytest.raises(InputError, match="its results would be"):
        task_files([one / "t.benchmark", one / "t.benchmark"])
    mixed = _write(
        tmp_path / "mixed", x__benchmark="a.pairs\nb.pairs\n", a__pairs="a,b,1\n", b__pairs="a,b\n"
    )
    with pytest.raises(InputError, match=r"x\.benchmark: names pairs with labels and"):
        read_entry(mixed / "x.benchmark")
    for text in ("", " \n\n"):
        blank = _write(tmp_path / "blank", x__benchmark=text)
        with pytest.raises(InputError, match=r"x\.benchmark: is empty"):
            read_entry(blank / "x.benchmark")
    outside = _write(tmp_path / "outside", x__benchmark="../mixed/a.pairs\n")
    with pytest.raises(InputError, match=r"outside.a\.pairs: cannot be read"):
        read_entry(outside / "x.benchmark")


def test_the_real_folders(shared_data, tmp_path):
    for folder in ("hpatches_tasks", "hpatches_examples/retrieval"):
        files = task_files([shared_data / folder])
        tasks = [read_entry(file) for file in files]
        kinds = {file.name: type(task) for file, task in zip(files, tasks, strict=True)}
        if folder == "hpatches_tasks":
            assert kinds == {
                "train_easy_5s_00.benchmark": RetrievalTask,
                "train_example.benchmark": PairsTask,
                "train_hard_5s_01.benchmark": RetrievalTask,
                "train_example_neg.with_label.pairs": PairsTask,
                "train_example_pos.with_label.pairs": PairsTask,
            }
            assert tasks[1].pairs.shape == (3000, 2) and tasks[3].pairs.shape == (2000, 3)
    shutil.copytree(shared_data / "hpatches_tasks", tmp_path / "copy", copy_function=shutil.copy)
    with pytest.raises(InputError, match="evaluate one of the two separately"):
        task_files([shared_data / "hpatches_tasks", tmp_path / "copy"])
