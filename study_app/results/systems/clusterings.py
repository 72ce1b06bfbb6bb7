"""Systems with groups or a similarity matrix, measured against the groupings of a set."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from basics.progress import Report
from study_app.core.caching.cache import cached
from study_app.core.text.languages import rtranslatable
from study_app.core.text.spreadsheets import harmless
from study_app.results.gold.sets import SetGold
from study_app.results.systems.comparing import ChartOf, Compared
from study_app.results.systems.reading import Upload, read_clustering
from study_app.sittings.groupings import SetGroupings

if TYPE_CHECKING:
    from analysis.clusterings.clustering_evaluation import EvaluatedClustering
    from analysis.files.clusterings import SystemClustering
    from analysis.groupings.set_agreement import SetSummary

read = read_clustering
FILES = {
    "systems.csv": rtranslatable("BCubed, ARI, chance and correlation of every system"),
    "participants.csv": rtranslatable("Every system compared with every participant"),
    "comparisons.csv": rtranslatable(
        "Every pair of systems, tested over participants, with Holm's correction"
    ),
    "evaluation.json": rtranslatable("The same, with every definition"),
    "systems.pdf": rtranslatable("The figure of BCubed F, for print"),
    "systems.svg": rtranslatable("The same as SVG"),
    "systems.png": rtranslatable("The same as a picture"),
    "correlations.pdf": rtranslatable("The figure of the correlation over pairs, for print"),
    "correlations.svg": rtranslatable("The same as SVG"),
    "correlations.png": rtranslatable("The same as a picture"),
}

# Number of listed pairs on which a matrix and people disagree most, in each direction.
MOST_DIFFERENCES = 5

# Two stimulus numbers, how many participants put them together, and of how many.
PairDifference = tuple[int, int, int, int]


@dataclass(frozen=True)
class ClusteringFound:
    """Results of the systems of a set.

    Attributes
    ----------
    groupings : study_app.sittings.groupings.SetGroupings
    people : analysis.groupings.set_agreement.SetSummary
    judged : list of analysis.clusterings.clustering_evaluation.EvaluatedClustering
    rows : list of dict
        Each system's row of systems.csv.
    consensus_f : float
        Mean BCubed F of the consensus groups against the participants.
    ceiling : (float, float)
        Mean tau_b between a participant's groups and the similarity of the others, and of all.
    compared : dict of str to study_app.results.systems.comparing.Compared or None
        By measure, "F" and "pairs".
    simulated : bool
        Whether a program made any of the judgments.
    """

    groupings: SetGroupings
    people: SetSummary
    judged: Sequence[EvaluatedClustering]
    rows: Sequence[dict[str, Any]]
    consensus_f: float
    ceiling: tuple[float, float]
    compared: Mapping[str, Compared | None]
    simulated: bool


def measure(
    gold: SetGold, read_uploads: Sequence[tuple[Upload, SystemClustering]], progress: Report
) -> ClusteringFound | None:
    """Compare systems, each (upload, SystemClustering), with people; None without systems."""
    if not read_uploads:
        return None
    from analysis.clusterings.clustering_evaluation import consensus_f, system_rows
    from analysis.clusterings.correlation import correlation_ceiling

    # The results are stored, and those of pairs of many participants would need much memory.
    people = gold.result.summary
    judged = _judged(gold, read_uploads, progress)
    progress(len(judged), len(judged), rtranslatable("Comparing the systems with each other"))
    return ClusteringFound(
        gold.groupings,
        people,
        judged,
        system_rows(judged, len(gold.groupings.stimuli)),
        consensus_f(people),
        correlation_ceiling(people.groupings),
        {
            "F": _compared(
                {one.name: one.groups.people.f for one in judged if one.groups is not None}
            ),
            "pairs": _compared({one.name: one.people_correlation.tau_b for one in judged}),
        },
        gold.simulated,
    )


def _judged(
    gold: SetGold, read_uploads: Sequence[tuple[Upload, SystemClustering]], progress: Report
) -> list[EvaluatedClustering]:
    """Each system compared with the people; earlier results for the same judgments are reused."""
    from analysis.clusterings.clustering_evaluation import evaluate_clusterings

    key = ("judged", gold.fingerprint)
    before = cached().get(key) or {}
    marks = {_mark(upload): (upload.name, one) for upload, one in read_uploads}
    new = [mark for mark in marks if mark not in before]
    # When read, a matrix was converted so that greater is more similar.
    found = evaluate_clusterings([marks[mark] for mark in new], gold.result, progress=progress)
    judged = before | dict(zip(new, found, strict=True))
    judged = {mark: judged[mark] for mark in marks}
    cached().put(key, judged)
    return list(judged.values())


def _mark(upload: Upload) -> tuple[str, str, bytes]:
    return upload.name, upload.direction, hashlib.sha256(upload.content).digest()


def _compared(values: Mapping[str, NDArray[np.float64]]) -> Compared | None:
    """Every pair of systems, from their values per participant; None for fewer than two systems."""
    from analysis.statistics.comparison import compare

    if len(values) < 2:
        return None
    return Compared(list(values), **vars(compare(np.stack(list(values.values())))))


def charts(found: ClusteringFound) -> list[ChartOf]:
    """BCubed F of systems with groups, and tau_b over pairs of all; each with the human band."""
    grouping = [
        None if isnan(row["f"]) else (row["f"], row["low"], row["high"]) for row in found.rows
    ]
    names = ("participant_tau_b", "participant_tau_b_low", "participant_tau_b_high")
    pairs = [tuple(row[name] for name in names) for row in found.rows]
    ceiling = None if any(map(isnan, found.ceiling)) else found.ceiling
    band = (found.people.mean.f, found.consensus_f)
    charts = [("F", grouping, None if any(map(isnan, band)) else band)] if any(grouping) else []
    return [*charts, ("pairs", pairs, ceiling)]


def rows(found: ClusteringFound) -> dict[str, dict[str, Any]]:
    """Every system by name, with its results."""
    return {row["system"]: row for row in found.rows}


def comparisons(found: ClusteringFound, measure: str) -> Compared | None:
    """Every pair of systems that have the measure; None for fewer than two."""
    return found.compared[measure]


def largest_differences(
    found: ClusteringFound, name: str
) -> tuple[list[PairDifference], list[PairDifference]]:
    """Pairs on which a matrix and people disagree most: closer in the matrix, and for people.

    Each pair is two stimulus numbers, how many put them together, and of how many.
    """
    one = next(judged for judged in found.judged if judged.name == name)
    whole = one.clustering.similarity
    if whole is None:
        return [], []
    people, ids = found.people, found.groupings.stimulus_ids
    first, second = np.triu_indices(len(ids), 1)
    together, both, similarity = people.together, people.both, people.similarity
    compared = both[first, second] > 0
    first, second = first[compared], second[compared]
    matrix = whole[first, second]
    gap = _share_below(matrix) - _share_below(similarity[first, second])

    def pair(at: int) -> PairDifference:
        counts = (together[first[at], second[at]], both[first[at], second[at]])
        return (ids[first[at]], ids[second[at]], *map(int, counts))

    def widest(apart: NDArray[np.float64]) -> list[PairDifference]:
        order = np.argsort(-apart, kind="stable")[:MOST_DIFFERENCES]
        return [pair(at) for at in order.tolist() if apart[at] > 0]

    return widest(gap), widest(-gap)


def _share_below(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Rank of each value among all, scaled to 0–1; ties share a rank."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    return ((np.cumsum(counts) - (counts + 1) / 2) / len(values))[place]


def participants(found: ClusteringFound, name: str) -> list[tuple[str, tuple[float, ...]]]:
    """A system against each participant: (participant, (precision, recall, F, chance, p, ARI))."""
    one = next(judged for judged in found.judged if judged.name == name)
    if one.groups is None:
        return []
    people, p = one.groups.people, one.groups.people_p
    measures = (people.precision, people.recall, people.f, people.f_random, p, people.ari)
    numbers = zip(*(measure.tolist() for measure in measures), strict=True)
    return list(zip(found.groupings.participants, numbers, strict=True))


def groups(found: ClusteringFound, name: str) -> list[list[int]]:
    """A system's groups, largest first, as lists of stimulus numbers; empty for a matrix."""
    one = next(judged for judged in found.judged if judged.name == name)
    if one.clustering.membership is None:
        return []
    ids = found.groupings.stimulus_ids
    groups = [[ids[at] for at in column.nonzero()[0]] for column in one.clustering.membership.T]
    return sorted(groups, key=len, reverse=True)


def write(folder: Path, found: ClusteringFound) -> None:
    """Write the files that `evaluate clustering` writes."""
    from dataclasses import replace

    from analysis.files.groupings import SetGroupings
    from analysis.reports.clustering import write_clustering
    from analysis.simulated import marked_simulated

    groupings = found.groupings
    truth = SetGroupings(
        "",
        [harmless(code) for code in groupings.participants],
        [harmless(stimulus) for stimulus in groupings.stimuli],
        found.people.groupings,
    )
    judged = [replace(one, name=harmless(one.name)) for one in found.judged]
    safe_rows = [row | {"system": harmless(row["system"])} for row in found.rows]
    with marked_simulated(found.simulated):
        write_clustering(folder, truth, found.people, judged, safe_rows)
