"""From descriptors to HPatches results, checked against plain Python that sorts and counts."""

import csv
import json
from fractions import Fraction
from math import sqrt

import numpy as np
import pytest

from study_app.cli import main

IMAGES = ("ref", "e1", "e2", "e3", "e4", "e5")
SIZES = {"v_a": 5, "v_b": 8, "i_c": 30}
PATCHES = [f"{s}.{image}.{k}" for s, n in SIZES.items() for image in IMAGES for k in range(n)]
QUERIES = ["v_a.ref.4", "v_b.ref.0", "i_c.ref.7", "v_a.e3.1", "i_c.e5.29"]
POOL = ",".join(f"{s}.{image}" for s in SIZES for image in IMAGES)


def _l1(a, b):
    return sum(abs(x - y) for x, y in zip(a, b, strict=True))


def _l2(a, b):
    return sqrt(sum((x - y) ** 2 for x, y in zip(a, b, strict=True)))


def _cosine(a, b):
    dot = sum(x * y for x, y in zip(a, b, strict=True))
    return 1 - sqrt(Fraction(dot**2, sum(x * x for x in a) * sum(y * y for y in b)))


def _hamming(a, b):
    return sum((x ^ y).bit_count() for x, y in zip(a, b, strict=True))


DISTANCES = {"l1": _l1, "l2": _l2, "cosine": _cosine, "hamming": _hamming}


def _call(*arguments):
    with pytest.raises(SystemExit) as left:
        main(["evaluate", *map(str, arguments)])
    assert left.value.code == 0


@pytest.fixture
def described(tmp_path):
    """A pool whose descriptors separate points and sequences poorly; some are equal."""
    rng = np.random.default_rng(4)
    rows = {}
    for sequence, n in SIZES.items():
        points = rng.integers(20, 200, (n, 6))
        for image in IMAGES:
            for k in range(n):
                noise = rng.integers(-12, 13, 6)
                rows[f"{sequence}.{image}.{k}"] = [int(v) for v in points[k] + noise]
    rows["v_b.e1.3"] = rows["v_a.e2.2"] = rows["i_c.ref.7"]
    (tmp_path / "t.benchmark").write_text("\n".join([POOL, *QUERIES]))
    labels = [
        ",".join([q, *(p for p in PATCHES if p != q and _point(p) == _point(q))]) for q in QUERIES
    ]
    (tmp_path / "t.labels").write_text("\n".join([POOL, *labels]))
    return tmp_path, rows


def _point(patch):
    sequence, _, index = patch.split(".")
    return sequence, index


def _write(folder, rows, form):
    """Write descriptors in one of the formats; the last two have rows in a different order."""
    shuffled = [PATCHES[k] for k in np.random.default_rng(5).permutation(len(PATCHES))]
    if form == "folder":
        for sequence, n in SIZES.items():
            (folder / "d" / sequence).mkdir(parents=True)
            for image in IMAGES:
                array = [rows[f"{sequence}.{image}.{k}"] for k in range(n)]
                np.save(folder / "d" / sequence / f"{image}.npy", np.array(array, dtype=np.uint8))
        return folder / "d", PATCHES
    if form == "csv":
        lines = [",".join([p, *map(str, rows[p])]) for p in shuffled]
        (folder / "d.csv").write_text("\n".join(lines))
        path = folder / "d.csv"
    else:
        np.save(folder / "d.npy", np.array([rows[p] for p in shuffled], dtype=np.uint8))
        (folder / "d.txt").write_text("\n".join(shuffled))
        path = folder / "d.npy"
    images = POOL.split(",")
    return path, [p for image in images for p in shuffled if p.rpartition(".")[0] == image]


@pytest.mark.parametrize("form", ["folder", "csv", "npy"])
@pytest.mark.parametrize("distance", DISTANCES)
def test_results_equal_the_sorted_pool(described, distance, form):
    folder, rows = described
    path, order = _write(folder, rows, form)
    out = folder / "t.results"
    _call("hpatches-results", path, folder / "t.benchmark", "--distance", distance, "--out", out)
    first, *lines = out.read_text().splitlines()
    assert first == POOL and len(lines) == len(QUERIES)
    for query, line in zip(QUERIES, lines, strict=True):
        measured = {p: round(DISTANCES[distance](rows[query], rows[p]), 12) for p in order}
        wanted = [query, *sorted((p for p in order if p != query), key=measured.__getitem__)]
        assert line.split(",") == wanted[:51]


@pytest.mark.parametrize("distance", DISTANCES)
@pytest.mark.parametrize("labelled", [False, True])
def test_distances_of_pairs_equal_those_of_plain_python(described, distance, labelled):
    folder, rows = described
    path, _ = _write(folder, rows, "npy")
    rng = np.random.default_rng(6)
    pairs = [[PATCHES[k] for k in rng.integers(0, len(PATCHES), 2)] for _ in range(40)]
    label = [",1"] * 20 + [",0"] * 20 if labelled else [""] * 40
    lines = [f"{a}, {b}{end}" for (a, b), end in zip(pairs, label, strict=True)]
    (folder / "x.pairs").write_text("\r\n".join(lines))
    out = folder / "x.results"
    _call("hpatches-results", path, folder / "x.pairs", "--distance", distance, "--out", out)
    written = [line.split(",") for line in out.read_text().splitlines()]
    assert ["," * labelled + ",".join(rest) for _, *rest in written] == label
    for (value, *_), (a, b) in zip(written, pairs, strict=True):
        assert float(value) == pytest.approx(DISTANCES[distance](rows[a], rows[b]), abs=1e-9)


def _ap(hits, relevant):
    found = [rank for rank, hit in enumerate(hits, start=1) if hit]
    return sum((k + 1) / rank for k, rank in enumerate(found)) / relevant


def test_image_ap_of_sequences_with_fewer_than_50_patches(described):
    folder, rows = described
    path, _ = _write(folder, rows, "folder")
    results = folder / "t.results"
    _call("hpatches-results", path, folder / "t.benchmark", "--out", results)
    files = ("--benchmark", folder / "t.benchmark", "--labels", folder / "t.labels", results)
    _call("hpatches-retrieval", *files, "--out", folder / "out")
    with (folder / "out" / "queries.csv").open(encoding="utf-8", newline="") as file:
        by_query = {row["query_id"]: row for row in csv.DictReader(file)}
    small = 0
    for line in results.read_text().splitlines()[1:]:
        query, *found = line.split(",")
        sequence = query.split(".")[0]
        others = 6 * SIZES[sequence] - 1  # the true number
        small += others < 50
        image = [p.split(".")[0] == sequence for p in found]
        patch = [_point(p) == _point(query) for p in found]
        assert int(by_query[query]["image_relevant"]) == min(others, 50)
        assert float(by_query[query]["image_ap"]) == pytest.approx(_ap(image, min(others, 50)))
        assert float(by_query[query]["patch_ap"]) == pytest.approx(_ap(patch, 5))
    assert small == 3
    record = json.loads((folder / "out" / "evaluation.json").read_text())
    assert record["image_relevant_below_50"] == small
    assert record["image_map"] == pytest.approx(
        np.mean([float(row["image_ap"]) for row in by_query.values()])
    )


@pytest.mark.parametrize("task", ["train_easy_5s_00", "train_hard_5s_01"])
def test_random_results_of_real_tasks(shared_data, tmp_path, task):
    benchmark, labels = (
        shared_data / "hpatches_tasks" / f"{task}.{end}" for end in ("benchmark", "labels")
    )
    pool, *queries = benchmark.read_text().split()
    same = {
        line.split(",")[0].strip(): {p.strip() for p in line.split(",")[1:]}
        for line in labels.read_text().splitlines()[1:]
    }
    rng = np.random.default_rng(7)
    lines = [pool]
    for query in queries:
        known = sorted(same[query])
        others = {f"{rng.choice(pool.split(','))}.{rng.integers(1200)}" for _ in range(60)}
        mixed = rng.permutation(sorted(others - {query} - same[query])[:46] + known[:4])
        lines.append(",".join([query, *mixed]))
    (tmp_path / "r.results").write_text("\n".join(lines))
    files = ("--benchmark", benchmark, "--labels", labels, tmp_path / "r.results")
    _call("hpatches-retrieval", *files, "--out", tmp_path / "out")
    _call("hpatches-retrieval", *files, "--compat", "hbench", "--out", tmp_path / "hbench")
    patch, image, patch_found, image_found = [], [], [], []
    for line in lines[1:]:
        query, *found = line.split(",")
        hits = [p in same[query] for p in found]
        near = [p.split(".")[0] == query.split(".")[0] for p in found]
        images = {p.rpartition(".")[0] for p in same[query] | {query}}
        labelled = [p.rpartition(".")[0] in images for p in found]
        patch.append(_ap(hits, len(same[query])))
        image.append(_ap(near, 50))
        patch_found.append(_ap(hits, sum(hits)))
        image_found.append(_ap(labelled, sum(labelled)) if any(labelled) else 0)
    ours = json.loads((tmp_path / "out" / "evaluation.json").read_text())
    theirs = json.loads((tmp_path / "hbench" / "evaluation.json").read_text())
    assert (ours["patch_map"], ours["image_map"]) == pytest.approx((np.mean(patch), np.mean(image)))
    assert theirs["patch_map"] == pytest.approx(np.mean(patch_found))
    assert theirs["image_map"] == pytest.approx(np.mean(image_found))
    assert theirs["patch_map_printed"] == pytest.approx(sum(patch_found) / (len(queries) + 1))
