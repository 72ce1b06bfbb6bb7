"""Speed of reading systems' files and of the `evaluate` commands on them, start to end.

Readers stand beside polars in the same process. Commands are processes of their own, with Python's
start, checks, intervals, tables and figures, and their peak memory. Run as ``python -m
tests.bench.bench_evaluation_files``, with ``--million`` for a run of a million queries x 10.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter, process_time

import numpy as np
import polars as pl

from analysis.files.hpatches.pairs import read_distances
from analysis.files.hpatches.retrieval import read_results, read_task, write_results
from analysis.files.runs.trec import read_run
from analysis.patches.patch_evaluation import patch_retrieval
from analysis.patches.search import nearest
from tests.bench.bench_evaluation import RNG, show, timed

AT_ONCE = 20_000
_COMMAND = """
import re, sys
from pathlib import Path
from study_app.cli import main
try:
    main(sys.argv[1:])
except SystemExit as left:
    assert left.code == 0, left.code
status = Path("/proc/self/status")
peak = re.search(r"VmHWM:\\s+(\\d+)", status.read_text())[1] if status.exists() else 0
print(int(peak) / 1024**2)
"""


def command(what, *arguments):
    """Run one command and print its seconds and peak memory."""
    start = perf_counter()
    label = subprocess.run(
        [sys.executable, "-c", _COMMAND, *map(str, arguments)],
        capture_output=True,
        check=True,
        text=True,
    )
    seconds = perf_counter() - start
    peak = float(label.stdout.splitlines()[-1])
    show(what, seconds, wanted=f"peak memory {peak:.2f} GB" if peak else "")


def write_run(folder, queries, depth):
    """A TREC run and its qrels; a tenth of the results and the first of each are relevant."""
    paths = folder / f"{queries}.run", folder / f"{queries}.qrels"
    line = pl.format("q{} Q0 d{} {} {} sys", *map(pl.col, ("query", "document", "rank", "score")))
    judgment = pl.format("q{} 0 d{} 1", pl.col("query"), pl.col("document"))
    with paths[0].open("wb") as run, paths[1].open("wb") as qrels:
        for start in range(0, queries, AT_ONCE):
            count = min(AT_ONCE, queries - start)
            documents = np.argsort(RNG.random((count, 100)), axis=1)[:, :depth]
            relevant = RNG.random((count, depth)) < 0.1
            relevant[:, 0] = True
            table = pl.DataFrame(
                {
                    "query": np.repeat(np.arange(start, start + count), depth),
                    "document": (RNG.integers(0, 1000, (count, 1)) * 100 + documents).ravel(),
                    "rank": np.tile(np.arange(1, depth + 1), count),
                    "score": (-np.sort(-RNG.random((count, depth)))).round(6).ravel(),
                }
            )
            table.select(line).write_csv(run, include_header=False, quote_style="never")
            judged = table.filter(pl.Series(relevant.ravel())).select(judgment)
            judged.write_csv(qrels, include_header=False, quote_style="never")
    return paths


def retrieval(folder, sizes):
    """The run read, and the command from 10,000 queries on."""
    for queries, depth in sizes:
        run, qrels = write_run(folder, queries, depth)
        if queries == 100_000:
            ours, peer = timed(
                lambda run=run: read_run(run),
                lambda run=run: pl.read_csv(run, has_header=False, separator=" "),
                repeats=15,
                clock=process_time,
            )
            label = f"run of {queries:,} x {depth} read and checked, processor time"
            show(label, ours, peer, "polars read_csv", "wanted <= 1.2")
        arguments = ("evaluate", "retrieval", run, "--qrels", qrels, "--out", folder / "out")
        command(f"evaluate retrieval, {queries:,} queries x {depth}", *arguments, "--force")
        for path in (run, qrels):
            path.unlink()


def classification(folder):
    """200,000 positive and a million negative pairs, read and then through the command."""
    labels = np.repeat([1, 0], [200_000, 1_000_000])
    distances = RNG.normal(size=labels.size) - 0.8 * labels + 5
    path = folder / "pairs.results"
    pl.DataFrame({"d": distances, "l": labels}).write_csv(path, include_header=False)
    mine, peer = timed(lambda: read_distances(path), lambda: pl.read_csv(path, has_header=False))
    show("distances of 1.2 M pairs read and checked", mine, peer, "polars read_csv", "wanted 1")
    arguments = ("evaluate", "hpatches-classification", path, "--out", folder / "pairs", "--force")
    command("evaluate hpatches-classification, 1.2 M pairs", *arguments)


def patches(folder):
    """A retrieval task of 40 sequences: judged, and its results made from descriptors."""
    images = ("ref", "e1", "e2", "e3", "e4", "e5")
    pool = [f"v_{s:02}.{image}" for s in range(40) for image in images]
    queries = list(
        dict.fromkeys(f"v_{RNG.integers(40):02}.ref.{RNG.integers(1300)}" for _ in range(4000))
    )
    labels = [",".join([q, *(q.replace("ref", image) for image in images[1:])]) for q in queries]
    (folder / "t.benchmark").write_text("\n".join([",".join(pool), *queries]))
    (folder / "t.labels").write_text("\n".join([",".join(pool), *labels]))
    hits = [[f"{pool[i]}.{k + 1}" for k, i in enumerate(RNG.integers(0, 240, 50))] for _ in queries]
    hits = [[h if h != q else f"{q}9" for h in row] for q, row in zip(queries, hits, strict=True)]
    write_results(folder / "t.results", pool, queries, hits)

    task = ("--benchmark", folder / "t.benchmark", "--labels", folder / "t.labels")
    command(
        f"evaluate hpatches-retrieval, 40 sequences, {len(queries)} queries",
        *("evaluate", "hpatches-retrieval", folder / "t.results", *task),
        *("--out", folder / "task"),
    )

    def judged():
        task = read_task(folder / "t.benchmark", folder / "t.labels")
        return patch_retrieval(task, read_results(folder / "t.results", task))

    (seconds,) = timed(judged, repeats=3)
    show(f"40 sequences, {len(queries)} queries: read, checked, judged", seconds)


def search(folder):
    """The results of a task of 40 sequences from descriptors, beside matrix products alone."""
    images = [f"v_{s:02}.{image}" for s in range(40) for image in ("ref", *"12345")]
    asked = [f"v_{k % 40:02}.ref.{k // 40}" for k in range(4_000)]
    (folder / "s.benchmark").write_text("\n".join([",".join(images), *asked]))
    pool = RNG.normal(size=(240 * 1300, 128)).astype(np.float32)
    bits = RNG.integers(0, 256, (len(pool), 32), dtype=np.uint8)
    for name, rows in (("floats", pool), ("bits", bits)):
        for image, part in zip(images, np.split(rows, len(images)), strict=True):
            path = (folder / name / image.replace(".", "/")).with_suffix(".npy")
            path.parent.mkdir(parents=True, exist_ok=True)
            np.save(path, part)
    queries = np.array([(k % 40) * 6 * 1300 + k // 40 for k in range(4_000)])

    for distance, rows, count in (
        ("l2", pool, 1_024),
        ("cosine", pool, 1_024),
        ("hamming", bits, 1_024),
        ("l1", pool, 256),
    ):
        some = queries[:count]
        ours, peer = timed(
            lambda rows=rows, some=some, distance=distance: nearest(rows, some, 51, distance),
            lambda some=some: [
                np.argpartition(pool[part] @ pool.T, -51, axis=1)
                for part in np.split(some, range(256, some.size, 256))
            ],
            repeats=3,
        )
        show(
            f"nearest 51 of 312,000 x {rows.shape[1]}, {distance}, a query",
            *(ours / count, peer / count, "float32 product, argpartition"),
        )
    for name, distance in (("floats", "l2"), ("bits", "hamming")):
        command(
            f"evaluate hpatches-results, 40 sequences, 4,000 queries, {distance}",
            *("evaluate", "hpatches-results", folder / name, folder / "s.benchmark"),
            *("--distance", distance, "--out", folder / f"{name}.results"),
        )


def main():
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--million", action="store_true", help="also a million queries x 10")
    sizes = [(10_000, 51), (100_000, 51)]
    if parser.parse_args().million:
        sizes += [(100_000, 10), (1_000_000, 10)]
    with tempfile.TemporaryDirectory() as folder:
        classification(Path(folder))
        patches(Path(folder))
        search(Path(folder))
        retrieval(Path(folder), sizes)


if __name__ == "__main__":
    main()
