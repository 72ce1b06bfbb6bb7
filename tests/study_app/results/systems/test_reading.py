"""Uploaded files of systems: read, or refused with their place, within bounds."""

import gzip
import io
import zipfile

import pytest

from study_app.results.systems import reading
from study_app.results.systems.reading import Upload, UploadRefused
from tests.study_app.results.systems.added_systems import SCORES, add_systems

RUN = (
    b"q Q0 a 1 9 hog\nq Q0 b 2 5 hog\nq Q0 c 3 1 hog\n"
    b"r Q0 c 1 3 hog\nr Q0 b 2 2 hog\nr Q0 a 3 1 hog\n"
)


@pytest.mark.parametrize(
    ("file_name", "content"),
    [("hog.run", RUN), ("hog.run.gz", gzip.compress(RUN)), ("HOG.RUN.GZ", gzip.compress(RUN))],
)
def test_a_trec_run_is_read(task_gold, file_name, content):
    scores, ignored = reading.read_scores(Upload(file_name, content, "similarity"), task_gold)
    assert scores.tolist() == [[9, 5, 1], [1, 2, 3]] and ignored == 0


@pytest.mark.parametrize("content", [RUN, gzip.compress(RUN)[:-9]])
def test_a_truncated_gzip_is_refused(task_gold, content):
    with pytest.raises(UploadRefused, match=r"^hog\.run\.gz: is not a complete gzip file"):
        reading.read_scores(Upload("hog.run.gz", content, "similarity"), task_gold)


def test_a_gzip_that_unpacks_to_too_much_is_refused(task_gold, monkeypatch):
    monkeypatch.setattr(reading, "MOST_UNPACKED", 2_000_000)
    bomb = gzip.compress(RUN + bytes(2_000_000))
    with pytest.raises(UploadRefused, match=r"^hog\.run\.gz: unpacks to more than 2 MB"):
        reading.read_scores(Upload("hog.run.gz", bomb, "similarity"), task_gold)


def test_a_long_file_name_keeps_its_extension():
    assert reading.last_part("x" * 300 + ".run.gz") == "x" * 193 + ".run.gz"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (SCORES.replace("r,b,2", "r,b,nan"), "hog.csv:6: "),
        (SCORES.replace("r,b,2", "r,b,two"), "hog.csv:6: "),
        (SCORES.replace("r,b,2", "r,a,2"), "hog.csv:6: "),
        (SCORES.replace("r,c,3\n", ""), "candidate 'c' of query 'r'"),
        (SCORES.replace("score", "value"), "hog.csv:1: "),
        ("", "hog.csv"),
        ("\0\x01\x02\xff" * 50, "hog.csv"),
    ],
)
def test_invalid_scores_are_refused_with_file_and_line(task_gold, content, message):
    upload = Upload("../../hog.csv", content.encode("latin-1"), "similarity")
    with pytest.raises(UploadRefused) as refusal:
        reading.read_scores(upload, task_gold)
    assert message in str(refusal.value)
    assert "/" not in str(refusal.value).split(":")[0] and "tmp" not in str(refusal.value)


def test_the_direction_is_never_guessed(task_gold):
    with pytest.raises(UploadRefused, match="a similarity"):
        reading.read_scores(Upload("hog.csv", SCORES.encode(), ""), task_gold)


def test_too_large_files_are_refused_without_reading(app, session, sorted_set):
    with pytest.raises(UploadRefused, match="32 MB"):
        add_systems(sorted_set, Upload("big.csv", bytes(reading.MOST_BYTES + 1), ""))


def test_an_npz_with_a_huge_list_of_arrays_is_refused_before_it_is_read(
    app, session, sorted_set, monkeypatch
):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for number in range(2000):
            archive.writestr(f"{number}.npy", b"")
    monkeypatch.setattr(reading, "MOST_LIST_BYTES", 1900 * 46)
    monkeypatch.setattr(zipfile, "ZipInfo", pytest.fail)
    with pytest.raises(UploadRefused, match=r"x\.npz: contains too many arrays"):
        add_systems(sorted_set, Upload("x.npz", packed.getvalue(), "similarity"))


@pytest.mark.slow
def test_an_npz_that_unpacks_to_too_much_is_refused(app, session, sorted_set):
    packed = io.BytesIO()
    block = bytes(10_000_000)
    with (
        zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("similarity.npy", "w", force_zip64=True) as member,
    ):
        for _ in range(reading.MOST_UNPACKED // len(block) + 1):
            member.write(block)
    with pytest.raises(UploadRefused, match=r"x\.npz: unpacks"):
        add_systems(sorted_set, Upload("x.npz", packed.getvalue(), "similarity"))
