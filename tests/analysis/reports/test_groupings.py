"""The files of a set with many participants are written a few rows at a time."""

import csv
import tracemalloc

import numpy as np

from analysis.files.groupings import SetGroupings
from analysis.groupings.set_agreement import study_set
from analysis.reports.groupings import write_set

PEOPLE = 400


def test_pairs_of_many_participants_are_written_as_they_are_read(tmp_path):
    groups = np.random.default_rng(1).integers(0, 3, (PEOPLE, 6))
    names = [f"P{number:03}" for number in range(PEOPLE)]
    one = SetGroupings("", names, list("abcdef"), groups)
    found = study_set(groups, draws=1)
    tracemalloc.start()
    try:
        write_set(tmp_path, one, found, figures=False)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    with (tmp_path / "agreement_pairs.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    first, second = np.triu_indices(PEOPLE, 1)
    assert [(row["participant_a"], row["participant_b"]) for row in rows] == [
        (names[a], names[b]) for a, b in zip(first, second, strict=True)
    ]
    f = found.pairs.f[first, second]
    assert [float(row["f"]) for row in rows] == f.tolist()
    # All rows at once need 43 MB, and each measure of all pairs 1.3 MB.
    assert most < 8_000_000
