"""HPatches classification files in both formats, real ones and malformed ones."""

import gzip

import numpy as np
import pytest

from analysis.errors import InputError
from analysis.files.hpatches.pairs import read_distances, read_labels, read_pairs
from analysis.files.hpatches.tasks import folder_tasks, pool


@pytest.fixture
def write(tmp_path):
    def _write(text, name="x.results"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(text.encode())
        return path

    return _write


@pytest.mark.parametrize(
    ("text", "distances", "labels"),
    [
        ("1,1\n2.5,0\n", [1, 2.5], [1, 0]),
        ("1\n2.5\n", [1, 2.5], None),
        ("1\r\n2.5\r\n\r\n", [1, 2.5], None),
        ("\ufeff1.5, 1\n\n2,0", [1.5, 2], [1, 0]),
        ("1e3,1\n-5,0\n", [1000, -5], [1, 0]),
    ],
)
def test_reads_both_formats(write, text, distances, labels):
    read = read_distances(write(text))
    assert read.distances.tolist() == distances
    assert (read.labels is None) == (labels is None)
    assert labels is None or read.labels.tolist() == labels


@pytest.mark.parametrize(
    ("text", "finding"),
    [
        ("", "is empty"),
        ("\n\n", "is empty"),
        ("1,1\n2\n", r":2: has 1 cell instead of 2"),
        ("1,1,1\n", r":1: has 3 cells instead of 1 or 2"),
        ("1,1\n\nx,0\n", r":3: distance 'x' is not a finite number"),
        ("1\nnan\n", r":2: distance 'nan'"),
        ("inf,1\n", r":1: distance 'inf'"),
        ("1,1\n,0\n", r":2: distance ''"),
        ("1,2\n", r":1: label '2' is neither 0 nor 1"),
        ("1,1\n0,34.2\n", r":2: label '34.2' is neither 0 nor 1; are columns swapped"),
    ],
)
def test_refuses_results(write, text, finding):
    with pytest.raises(InputError, match=finding):
        read_distances(write(text))


def test_labels(write):
    assert read_labels(write("1\n0\n1\n")).tolist() == [1, 0, 1]
    with pytest.raises(InputError, match=r":2: label '-1'"):
        read_labels(write("1\n-1\n"))


def test_real_pairs_of_both_formats_agree(shared_data):
    folder = shared_data / "hpatches_tasks"
    for name, label, count in (("pos", 1, 1000), ("neg", 0, 2000)):
        plain = read_pairs(folder / f"train_example_{name}.pairs")
        labelled = read_pairs(folder / f"train_example_{name}.with_label.pairs")
        assert plain.labels is None and len(plain.first) == count
        assert plain.first.equals(labelled.first) and plain.second.equals(labelled.second)
        assert set(labelled.labels.tolist()) == {label}
    labels = read_labels(folder / "train_example.labels")
    assert labels.tolist() == [1] * 1000 + [0] * 2000


@pytest.mark.parametrize(
    "text",
    [
        "a.b.1,a.c.1,1\na.b.2,a.c.2,0\n",
        "\ufeffa.b.1,a.c.1,1\r\na.b.2,a.c.2,0\r\n",
        "a.b.1, a.c.1, 1\n\n a.b.2 ,a.c.2 ,0",
    ],
)
@pytest.mark.parametrize("packed", [False, True])
def test_pairs_are_read_in_every_spelling(tmp_path, text, packed):
    path = tmp_path / ("x.pairs.gz" if packed else "x.pairs")
    path.write_bytes(gzip.compress(text.encode()) if packed else text.encode())
    read = read_pairs(path)
    assert read.first.to_list() == ["a.b.1", "a.b.2"]
    assert read.second.to_list() == ["a.c.1", "a.c.2"] and read.labels.tolist() == [1, 0]


@pytest.mark.parametrize(
    ("text", "finding"),
    [
        ("a.b.1\n", r":1: has 1 cell instead of 2 or 3"),
        ("a.b.1,\n", r":1: names only one patch"),
        ("a.b.1,a.b.2,1\na.b.1,a.b.2\n", r":2: has 2 cells instead of 3"),
        ("a.b.1,a.b.2,x\n", r":1: label 'x'"),
    ],
)
def test_refuses_pairs(write, text, finding):
    with pytest.raises(InputError, match=finding):
        read_pairs(write(text, "x.pairs"))


def test_pooled_files_remain_in_order(write):
    task = pool([write("1,1\n2,1\n", "p.results"), write("3,0\n", "n.results")])
    assert task.distances.tolist() == [1, 2, 3] and task.labels.tolist() == [1, 1, 0]
    bare = pool([write("1\n2\n", "p.results"), write("3\n", "n.results")], write("1\n1\n0\n", "l"))
    assert np.array_equal(bare.labels, task.labels)


def test_pooling_a_file_with_itself_is_an_error(write):
    path = write("1,1\n2,0\n", "p.results")
    with pytest.raises(InputError, match=r"p\.results: is given twice"):
        pool([path, write("3,0\n", "n.results"), path])


def test_labels_that_do_not_match_are_an_error(write):
    bare, labelled = write("1\n2\n", "b.results"), write("1,1\n2,0\n", "l.results")
    with pytest.raises(InputError, match="distances without labels"):
        pool([bare])
    with pytest.raises(InputError, match="has 3 labels for 2 distances"):
        pool([bare], write("1\n0\n0\n", "x.labels"))
    with pytest.raises(InputError, match="contains labels"):
        pool([labelled], write("1\n0\n", "x.labels"))


def test_a_folder_gives_every_combination_of_one_split(write, tmp_path):
    for name, label in (("easy_pos", 1), ("hard_pos", 1), ("diffseq_neg", 0), ("sameseq_neg", 0)):
        write(f"1,{label}\n2,{label}\n", f"sift/train_{name}.results")
    write("1\n", "sift/test_easy_pos.results")
    write("2\n", "sift/test_diffseq_neg.results")
    tasks = folder_tasks(tmp_path / "sift")
    names = [(t.positives_file, t.negatives_file) for t in tasks]
    assert len(names) == len(set(names)) == 5
    assert ("test_easy_pos.results", "test_diffseq_neg.results") in names
    assert tasks[0].labels.tolist() == [1, 0]


def test_a_folder_of_whole_tasks_has_a_folder_of_labels(write, tmp_path):
    write("1\n2\n", "sift/train_diffseq_easy.results")
    write("1\n0\n", "labels/train_diffseq_easy.labels")
    (task,) = folder_tasks(tmp_path / "sift", tmp_path / "labels")
    assert task.labels.tolist() == [1, 0]
    with pytest.raises(InputError, match=r"easy.results:1: has distances without labels"):
        folder_tasks(tmp_path / "sift")


def test_a_folder_gives_whole_tasks_and_combinations(write, tmp_path):
    write("1,1\n2,0\n3,0\n", "sift/train_diffseq_easy.results")
    write("1\n", "sift/train_easy_pos.results")
    write("2\n", "sift/train_diffseq_neg.results")
    combined, whole = folder_tasks(tmp_path / "sift")
    assert combined.positives_file == "train_easy_pos.results"
    assert combined.negatives_file == "train_diffseq_neg.results"
    assert whole.positives_file == whole.negatives_file == "train_diffseq_easy.results"
    assert whole.distances.tolist() == [1, 2, 3]
    assert whole.labels.tolist() == [1, 0, 0]


@pytest.mark.parametrize("labels", [None, "labels"])
def test_refuses_a_folder_without_results(write, tmp_path, labels):
    write("1\n", "sift/train_easy_pos.txt")
    with pytest.raises(InputError, match="sift: has no task"):
        folder_tasks(tmp_path / "sift", labels and tmp_path / labels)


@pytest.mark.parametrize("name", ["train_easy_pos", "train_diffseq_neg"])
def test_refuses_labels_for_files_whose_name_gives_them(write, tmp_path, name):
    write("1\n2\n", "sift/train_diffseq_easy.results")
    write("1\n0\n", "labels/train_diffseq_easy.labels")
    write("1\n", f"sift/{name}.results")
    with pytest.raises(InputError, match=rf"{name}.results: file names ending in _pos or _neg"):
        folder_tasks(tmp_path / "sift", tmp_path / "labels")


@pytest.mark.parametrize(
    ("name", "lacking"),
    [("test_easy_pos", "test_X_neg.results"), ("test_diffseq_neg", "test_X_pos.results")],
)
def test_refuses_a_file_without_a_counterpart_in_its_split(write, tmp_path, name, lacking):
    write("1\n", "sift/train_easy_pos.results")
    write("2\n", "sift/train_diffseq_neg.results")
    write("1\n", f"sift/{name}.results")
    with pytest.raises(InputError, match=rf"{name}.results: no {lacking}"):
        folder_tasks(tmp_path / "sift")


def test_a_label_that_contradicts_the_file_name_is_an_error(write, tmp_path):
    write("1,1\n\n2,0\n", "sift/train_easy_pos.results")
    write("1,0\n", "sift/train_diffseq_neg.results")
    with pytest.raises(InputError, match=r"pos.results:3: the label is 0, but by the file name"):
        folder_tasks(tmp_path / "sift")
