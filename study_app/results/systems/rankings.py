"""Ranking systems measured against the mean human ranking of a task."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from basics.progress import Report
from study_app.core.text.languages import rtranslatable
from study_app.core.text.spreadsheets import harmless
from study_app.results.gold.tasks import TaskGold
from study_app.results.systems.comparing import ChartOf, Compared
from study_app.results.systems.reading import (
    GOLD_STANDARD,
    ReadScores,
    Upload,
    ground_truth_of,
    read_scores,
)

if TYPE_CHECKING:
    from analysis.files.scores import GroundTruth as FileTruth
    from analysis.ratings.ranking_evaluation import Interval, RankingEvaluation

read = read_scores
FILES = {
    "systems.csv": rtranslatable("tau_b of every system with its intervals"),
    "queries.csv": rtranslatable("tau_b of every system and query"),
    "comparisons.csv": rtranslatable("Every pair of systems: difference, p, and Holm-corrected p"),
    "evaluation.json": rtranslatable("The same, with every definition and the human ceilings"),
    "systems.pdf": rtranslatable("The figure, for print"),
    "systems.svg": rtranslatable("The same as SVG"),
    "systems.png": rtranslatable("The same as a picture"),
    "participants.pdf": rtranslatable(
        "tau_b with each participant with the human ceilings, for print"
    ),
    "participants.svg": rtranslatable("The same as SVG"),
    "participants.png": rtranslatable("The same as a picture"),
}
EXTREMES = 3


@dataclass(frozen=True)
class RankingFound:
    """Results of the ranking systems of a task.

    Attributes
    ----------
    truth : analysis.files.scores.GroundTruth
    scores : float array, shape (systems, queries, candidates)
        Greater is more similar.
    evaluation : analysis.ratings.ranking_evaluation.RankingEvaluation
    record : dict
        Further contents of the files.
    """

    truth: FileTruth
    scores: NDArray[np.float64]
    evaluation: RankingEvaluation
    record: dict[str, Any]


def measure(
    gold: TaskGold, read_uploads: Sequence[tuple[Upload, ReadScores]], progress: Report
) -> RankingFound | None:
    """Compare systems, each (upload, (scores, ignored)), with people; None without systems."""
    if not read_uploads:
        return None
    progress(0, 0, rtranslatable("Comparing the systems with people and with each other"))
    from analysis.ratings.ranking_evaluation import HumanRanking, evaluate_ranking, human_agreement

    truth = ground_truth_of(gold)
    human = HumanRanking(truth.similarity, truth.where, gold.sign * gold.scores)
    names = [upload.name for upload, _ in read_uploads]
    scores = np.stack([scores for _, (scores, _) in read_uploads])
    record = {
        "truth": GOLD_STANDARD,
        "fingerprint": gold.fingerprint,
        "participants": gold.result.participants,
        "participants_with_excluded": gold.counts.people_with_excluded,
        "direction": {upload.name: upload.direction for upload, _ in read_uploads},
        "ignored": {upload.name: ignored for upload, (_, ignored) in read_uploads},
        **(human_agreement(human) or {}),
    }
    return RankingFound(truth, scores, evaluate_ranking(human, names, scores), record)


def charts(found: RankingFound) -> list[ChartOf]:
    """tau_b with the mean and its interval, and tau_b with each participant and the ceilings.

    The ceilings are for single participants, so they are only on the second axis.
    """
    evaluation = found.evaluation
    low, high = evaluation.over_queries.low.tolist(), evaluation.over_queries.high.tolist()
    rows = zip(evaluation.score.tolist(), low, high, strict=True)
    ceiling = found.record["ceiling"]
    band = (ceiling["lower"], ceiling["upper"])
    each = [(value, None, None) for value in _to_participants(evaluation).tolist()]
    return [
        ("tau_b", list(rows), None),
        ("participants", each, band if np.isfinite(band).all() else None),
    ]


def _to_participants(evaluation: RankingEvaluation) -> NDArray[np.float64]:
    """tau_b of each system with single participants; a study always has their scores."""
    if evaluation.participant_tau_b is None:
        raise ValueError("measured without the scores of each participant")
    return evaluation.participant_tau_b


def _joint(evaluation: RankingEvaluation) -> Interval:
    if evaluation.over_participants_and_queries is None:
        raise ValueError("measured without the scores of each participant")
    return evaluation.over_participants_and_queries


def rows(found: RankingFound) -> dict[str, dict[str, Any]]:
    """Every system by name: intervals, queries with a value, and queries where it is constant."""
    evaluation = found.evaluation
    joint, to_participants = _joint(evaluation), _to_participants(evaluation)
    return {
        name: {
            "queries": len(found.truth.queries) - int(evaluation.constant_truth.sum()),
            "constant": int(evaluation.constant[k]),
            "participant_tau_b": float(to_participants[k]),
            "joint": (float(joint.low[k]), float(joint.high[k])),
            "direction": found.record["direction"][name],
            "ignored": found.record["ignored"][name],
        }
        for k, name in enumerate(evaluation.systems)
    }


def comparisons(found: RankingFound, measure: str = "tau_b") -> Compared | None:
    """Every pair of systems, compared in tau_b with the mean only."""
    if measure != "tau_b":
        return None
    evaluation = found.evaluation
    return Compared(evaluation.systems, **vars(evaluation.comparisons))


def queries(found: RankingFound, name: str) -> list[dict[str, Any]]:
    """A system's queries, best first: tau_b, and the images in human order and in its own."""
    at = found.evaluation.systems.index(name)
    truth, rows = found.truth, []
    for q, query in enumerate(truth.queries):
        images = truth.candidates[q]
        width = len(images)
        rows.append(
            {
                "name": query,
                "tau_b": float(found.evaluation.by_query[at, q]),
                "people": _in_order(images, truth.similarity[q, :width]),
                "system": _in_order(images, found.scores[at, q, :width]),
                "means": dict(zip(images, truth.means[q, :width].tolist(), strict=True)),
            }
        )
    return sorted(rows, key=lambda row: (np.isnan(row["tau_b"]), -row["tau_b"], row["name"]))


def extremes(
    rows: Sequence[dict[str, Any]],
) -> tuple[Sequence[dict[str, Any]], Sequence[dict[str, Any]]]:
    """The best and the worst of a system's queries, without overlap."""
    defined = [row for row in rows if not np.isnan(row["tau_b"])]
    best = defined[: min(EXTREMES, (len(defined) + 1) // 2)]
    worst = defined[len(best) :][-EXTREMES:]
    return best, worst[::-1]


def write(folder: Path, found: RankingFound) -> None:
    """Write the files that `evaluate ranking` writes."""
    from analysis.reports.ranking import write_ranking
    from analysis.simulated import marked_simulated

    truth = replace(found.truth, queries=[harmless(query) for query in found.truth.queries])
    names = [harmless(name) for name in found.evaluation.systems]
    with marked_simulated(found.truth.simulated):
        write_ranking(folder, truth, replace(found.evaluation, systems=names), found.record)


def _in_order(images: Sequence[str], similarity: NDArray[np.float64]) -> list[str]:
    order = sorted(range(len(images)), key=lambda column: (-similarity[column], images[column]))
    return [images[column] for column in order]
