"""Memory and time of the gold standard of very many pictures, step by step, without a database.

    python -m tests.bench.bench_many_pictures [--pictures 10000] [--assessors 10]

Each line is a step: seconds of the processor, and the most memory that the process had during it
(Linux counts it anew for each).
"""

import argparse
import random
import tempfile
import time
from pathlib import Path

import numpy as np

from analysis.figures.similarity import similarity_figure
from analysis.figures.style import write_figure
from analysis.files.matrices import write_matrices
from analysis.groupings.hierarchy import average_linkage, seriate
from analysis.groupings.set_agreement import study_set

GROUPS = 20


def _peak_mb():
    (line,) = (
        line for line in Path("/proc/self/status").read_text().splitlines() if "VmHWM" in line
    )
    return int(line.split()[1]) / 1000


def _step(name, work):
    Path("/proc/self/clear_refs").write_text("5")
    began = time.process_time()
    found = work()
    print(f"{name:<24}{time.process_time() - began:>8.1f} s{_peak_mb():>8.0f} MB", flush=True)
    return found


def _groupings(pictures, assessors):
    drawn = random.Random(7)
    return [
        [
            (at if drawn.random() < 0.6 else drawn.randrange(GROUPS)) % GROUPS
            for at in range(pictures)
        ]
        for _ in range(assessors)
    ]


def main():
    """Print a line for each step."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--pictures", type=int, default=10_000)
    options.add_argument("--assessors", type=int, default=10)
    chosen = options.parse_args()
    groupings = np.array(_groupings(chosen.pictures, chosen.assessors))
    names = [f"s{number:05d}" for number in range(chosen.pictures)]
    found = _step("agreement, consensus", lambda: study_set(groupings))
    counts = _step("counts of pairs", found.counts)
    tree = _step("tree", lambda: average_linkage(counts))
    order = _step("order", lambda: seriate(counts, tree)).tolist()
    with tempfile.TemporaryDirectory() as folder:
        _step("csv, npz, mat", lambda: write_matrices(Path(folder), names, counts))
        figure = _step("figure", lambda: similarity_figure(counts, names, chosen.assessors, order))
        _step("pdf, svg, png", lambda: write_figure(figure, Path(folder), "similarity"))


if __name__ == "__main__":
    main()
