"""Ranking systems beside the mean human ranking of a task."""

from dataclasses import dataclass, replace

import numpy as np

from study_app.core.spreadsheets import harmless
from study_app.systems.comparing import Compared
from study_app.systems.reading import GOLD_STANDARD, ground_truth_of, read_scores

read = read_scores
FILES = {
    "systems.csv": "tau_b of every system with its intervals",
    "queries.csv": "tau_b of every system and query",
    "comparisons.csv": "Every pair of systems: difference, p, and Holm-corrected p",
    "evaluation.json": "The same, with every definition and the human ceilings",
    "systems.pdf": "The figure, for print",
    "systems.svg": "The same as SVG",
    "systems.png": "The same as a picture",
    "participants.pdf": "tau_b to each participant with the human ceilings, for print",
    "participants.svg": "The same as SVG",
    "participants.png": "The same as a picture",
}
EXTREMES = 3


@dataclass(frozen=True)
class RankingFound:
    """What was found of the ranking systems of a task.

    Attributes
    ----------
    truth : analysis.files.scores.GroundTruth
    scores : float array, shape (systems, queries, candidates)
        Greater is more similar.
    evaluation : analysis.ratings.ranking_evaluation.RankingEvaluation
    record : dict
        What the files say besides.
    """

    truth: object
    scores: np.ndarray
    evaluation: object
    record: dict


def measure(gold, read_uploads, progress):
    """Compare systems, (upload, (scores, ignored)) each, with people; None without any."""
    if not read_uploads:
        return None
    progress(0, 0, "Comparing the systems with people and with each other")
    from analysis.ratings.ranking_evaluation import HumanRanking, evaluate_ranking, people_of

    truth = ground_truth_of(gold)
    human = HumanRanking(truth.similarity, truth.where, gold.sign * gold.scores)
    names = [upload.name for upload, _ in read_uploads]
    scores = np.stack([scores for _, (scores, _) in read_uploads])
    record = {
        "truth": GOLD_STANDARD,
        "fingerprint": gold.fingerprint,
        "participants": gold.found.participants,
        "direction": {upload.name: upload.direction for upload, _ in read_uploads},
        "ignored": {upload.name: ignored for upload, (_, ignored) in read_uploads},
        **people_of(human),
    }
    return RankingFound(truth, scores, evaluate_ranking(human, names, scores), record)


def charts(found):
    """tau_b to the mean with its interval, and tau_b to each participant with the ceilings.

    The ceilings are of single participants, and so on the second axis only.
    """
    evaluation = found.evaluation
    low, high = evaluation.over_queries.low.tolist(), evaluation.over_queries.high.tolist()
    rows = zip(evaluation.score.tolist(), low, high, strict=True)
    ceiling = found.record["ceiling"]
    band = (ceiling["lower"], ceiling["upper"])
    each = [(value, None, None) for value in evaluation.participant_tau_b.tolist()]
    return [
        ("tau_b", list(rows), None),
        ("participants", each, band if np.isfinite(band).all() else None),
    ]


def rows(found):
    """Every system by name: intervals, queries that count, and those where it is constant."""
    evaluation = found.evaluation
    joint = evaluation.over_participants_and_queries
    return {
        name: {
            "queries": len(found.truth.queries) - int(evaluation.constant_truth.sum()),
            "constant": int(evaluation.constant[k]),
            "participant_tau_b": float(evaluation.participant_tau_b[k]),
            "joint": (float(joint.low[k]), float(joint.high[k])),
            "direction": found.record["direction"][name],
            "ignored": found.record["ignored"][name],
        }
        for k, name in enumerate(evaluation.systems)
    }


def comparisons(found, measure="tau_b"):
    """Every two systems; they are compared in tau_b to the mean only."""
    if measure != "tau_b":
        return None
    evaluation = found.evaluation
    return Compared(evaluation.systems, **vars(evaluation.comparisons))


def queries(found, name):
    """A system's queries, the best first: tau_b and the images in human order and in its own."""
    at = found.evaluation.systems.index(name)
    truth, told = found.truth, []
    for q, query in enumerate(truth.queries):
        images = truth.candidates[q]
        width = len(images)
        told.append(
            {
                "name": query,
                "tau_b": float(found.evaluation.by_query[at, q]),
                "people": _in_order(images, truth.similarity[q, :width]),
                "system": _in_order(images, found.scores[at, q, :width]),
                "means": dict(zip(images, truth.means[q, :width].tolist(), strict=True)),
            }
        )
    return sorted(told, key=lambda row: (np.isnan(row["tau_b"]), -row["tau_b"], row["name"]))


def extremes(told):
    """The best and the worst of a system's queries; no query is in both."""
    defined = [row for row in told if not np.isnan(row["tau_b"])]
    best = defined[: min(EXTREMES, (len(defined) + 1) // 2)]
    worst = defined[len(best) :][-EXTREMES:]
    return best, worst[::-1]


def write(folder, found):
    """Write the files that `evaluate ranking` writes."""
    from analysis.reports.ranking import write_ranking
    from analysis.simulated import marked_simulated

    truth = replace(found.truth, queries=[harmless(query) for query in found.truth.queries])
    names = [harmless(name) for name in found.evaluation.systems]
    with marked_simulated(found.truth.simulated):
        write_ranking(folder, truth, replace(found.evaluation, systems=names), found.record)


def _in_order(images, similarity):
    order = sorted(range(len(images)), key=lambda column: (-similarity[column], images[column]))
    return [images[column] for column in order]
