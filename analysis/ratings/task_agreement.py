"""All results from the ratings of a task: ground truth and agreement, by query and overall.

Used by the command line and the web pages, both with the record of `summary`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.errors import InputError
from analysis.ratings.ground_truth import (
    Best,
    Ceilings,
    GroundTruth,
    ground_truth,
    known_mean,
    leave_one_out_tau_b,
    validate_query,
)
from analysis.ratings.intraclass import IntraclassCorrelation, icc
from analysis.ratings.kendall import KendallW, chi2_p, kendall_w
from analysis.ratings.krippendorff import LEVELS, krippendorff_alpha
from analysis.ratings.split_half import HALVES, split_half_tau_b
from analysis.statistics.intervals import t_interval

DEFINITIONS = {
    "complete, of": "number of participants who scored every stimulus of a query, and number who "
    "scored any; overall: complete in every query of which they scored any stimulus",
    "kendall_w": "corrected for ties; if scores are missing, from the variance components of the "
    "ranks, with k the harmonic mean of the numbers of scores per stimulus; overall: the mean W of "
    "the queries, with the sums of chi2 and df",
    "krippendorff_alpha": "units are the stimuli of a query; overall: the mean over queries, since "
    "differences between queries are not agreement",
    "icc": "Shrout and Fleiss (1979): ICC(model, number of scores averaged); if scores are "
    "missing, from variance components, with k the harmonic mean of the numbers of scores per "
    "stimulus; overall: the mean over queries",
    "leave_one_out_tau_b": "mean tau_b of each participant with the mean of the others (lower) and "
    "of all (upper); overall: the mean over queries, with 95 % intervals over queries (Student's "
    "t; not computed below 4 queries). Compare it with a system's mean tau_b with each participant "
    "(which can be above both), not with the system's tau_b with the mean",
    "split_half_tau_b": f"mean tau_b between the mean scores of two random halves of the "
    f"participants, {HALVES} splits; overall: the mean over queries. On the scale of a system's "
    "tau_b with the mean; the mean of all participants is more reliable than that of a half",
    "null": "undefined: agreement if no two participants scored the same stimuli of a query, or "
    "all scores are equal; alpha at the ratio level if a score is negative; intervals below 4 "
    "queries",
}

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class QueryAgreement:
    """Results from the ratings of one query.

    Attributes
    ----------
    participants : int
        Number of participants who gave at least one score.
    truth : GroundTruth
        Arrays of shape (stimuli,).
    kendall : KendallW
    alpha : dict of str to float
        Krippendorff's alpha by level; NaN at the ratio level if scores are negative.
    icc : IntraclassCorrelation
    lower, upper : float arrays, shape (participants,)
        tau_b of each participant with the mean of the others, and of all; NaN if undefined.
    split_half : float
        Mean tau_b between the mean scores of two random halves of the participants.
    """

    participants: int
    truth: GroundTruth
    kendall: KendallW
    alpha: dict[str, float]
    icc: IntraclassCorrelation
    lower: Floats
    upper: Floats
    split_half: float

    @property
    def ceilings(self) -> Ceilings:
        """Means of `lower` and `upper` over participants."""
        return Ceilings(*(float(known_mean(tau, 0)) for tau in (self.lower, self.upper)))


@dataclass(frozen=True)
class RatingAgreement:
    """The result of `study_ratings`.

    Attributes
    ----------
    participants : int
        Number of participants who gave at least one score.
    complete : int
        Number of these who scored every stimulus of each query of which they scored any.
    queries : list of QueryAgreement
        In the order given.
    kendall : KendallW
        Mean W of the queries, with the sums of chi2 and df.
    alpha : dict of str to float
        Krippendorff's alpha by level, mean over queries.
    icc : IntraclassCorrelation
        Means over queries.
    ceilings : Ceilings
        Means over queries.
    ceilings_low, ceilings_high : Ceilings
        Bounds of the 95 % intervals over queries; NaN below 4 queries.
    split_half : float
        Mean over queries.
    seed : int
        Random seed of the splits.
    """

    participants: int
    complete: int
    queries: list[QueryAgreement]
    kendall: KendallW
    alpha: dict[str, float]
    icc: IntraclassCorrelation
    ceilings: Ceilings
    ceilings_low: Ceilings
    ceilings_high: Ceilings
    split_half: float
    seed: int


def study_ratings(scores: Sequence[Floats], best: Best, seed: int = 0) -> RatingAgreement:
    """Compute ground truth and agreement from the ratings of a task.

    Parameters
    ----------
    scores : sequence of float arrays, shape (participants, stimuli) each
        One per query, all with the same participants; NaN if a participant gave no score.
    best : {"low", "high"}
        Which end of the scale means most similar.
    seed : int
        Random seed of the splits.

    Returns
    -------
    RatingAgreement

    Raises
    ------
    InputError
        If there is no query, the queries have different numbers of participants, or as for
        `analysis.ratings.ground_truth.ground_truth`.

    References
    ----------
    .. [1] M. Eitz et al., "Sketch-Based Image Retrieval: Benchmark and Bag-of-Features
       Descriptors", IEEE TVCG 17 (2011) 1624-1636: the study; each measure cites its own source.

    Examples
    --------
    >>> import numpy as np
    >>> found = study_ratings([np.array([[1.0, 2, 3], [1, 3, 2], [1, 2, 3]])], best="low")
    >>> found.queries[0].truth.rank.tolist(), round(found.kendall.w, 3)
    ([1.0, 2.0, 3.0], 0.778)
    """
    tables = [validate_query(query) for query in scores]
    if len({len(table) for table in tables}) != 1:
        raise InputError("give the scores of at least one query, each with the same participants")
    queries = [_study_query(table, best, seed) for table in tables]
    participants = _participants(np.concatenate(tables, axis=1))
    return RatingAgreement(
        participants=participants,
        complete=participants - _with_gaps(tables),
        queries=queries,
        kendall=_overall_w([query.kendall for query in queries]),
        alpha=_overall_alpha([query.alpha for query in queries]),
        icc=_overall_icc([query.icc for query in queries]),
        **_overall_ceilings(queries),
        split_half=float(known_mean(np.array([query.split_half for query in queries]), 0)),
        seed=seed,
    )


def summary(found: RatingAgreement, query_ids: Sequence[str]) -> dict[str, Any]:
    """The record of a task, as written to `agreement.json`.

    Parameters
    ----------
    found : RatingAgreement
    query_ids : sequence of str
        Ids of the queries, in order.

    Returns
    -------
    dict
        JSON types; NaN if undefined.
    """
    low, high = found.ceilings_low, found.ceilings_high
    return {
        "participants": found.participants,
        "queries": len(found.queries),
        "complete": found.complete,
        "of": found.participants,
        "kendall_w": _w_record(found.kendall),
        "krippendorff_alpha": found.alpha,
        "icc": _icc_record(found.icc),
        "leave_one_out_tau_b": {
            **found.ceilings._asdict(),
            "lower_interval": [low.lower, high.lower],
            "upper_interval": [low.upper, high.upper],
        },
        "split_half_tau_b": found.split_half,
        "seed": found.seed,
        "definitions": DEFINITIONS,
        "by_query": {
            query_id: {
                "participants": query.participants,
                "stimuli": len(query.truth.mean),
                "scores": int(query.truth.n.sum()),
                "complete": query.kendall.complete,
                "of": query.kendall.of,
                "kendall_w": _w_record(query.kendall),
                "krippendorff_alpha": query.alpha,
                "icc": _icc_record(query.icc),
                "leave_one_out_tau_b": query.ceilings._asdict(),
                "split_half_tau_b": query.split_half,
            }
            for query_id, query in zip(query_ids, found.queries, strict=True)
        },
    }


def _study_query(scores: Floats, best: Best, seed: int) -> QueryAgreement:
    lower, upper = leave_one_out_tau_b(scores)
    return QueryAgreement(
        participants=_participants(scores),
        truth=ground_truth(scores, best),
        kendall=kendall_w(scores),
        alpha=_alphas(scores),
        icc=icc(scores),
        lower=lower,
        upper=upper,
        split_half=split_half_tau_b(scores, seed=seed),
    )


def _participants(scores: Floats) -> int:
    return int((~np.isnan(scores)).any(axis=1).sum())


def _with_gaps(tables: Sequence[Floats]) -> int:
    """Number of participants who scored some, but not all, stimuli of a query."""
    known = [~np.isnan(table) for table in tables]
    gaps = [rated.any(axis=1) & ~rated.all(axis=1) for rated in known]
    return int(np.any(gaps, axis=0).sum())


def _alphas(scores: Floats) -> dict[str, float]:
    negative = bool((scores < 0).any())
    return {
        level: float("nan") if level == "ratio" and negative else krippendorff_alpha(scores, level)
        for level in LEVELS
    }


def _overall_w(queries: Sequence[KendallW]) -> KendallW:
    """Means of W and k over queries; sums of the numbers of participants."""
    complete, of = sum(one.complete for one in queries), sum(one.of for one in queries)
    defined = [query for query in queries if not np.isnan(query.w)]
    if not defined:
        nan = float("nan")
        return KendallW(nan, nan, 0, nan, nan, complete, of)
    chi2, df = sum(query.chi2 for query in defined), sum(query.df for query in defined)
    w, k = (float(np.mean([query[at] for query in defined])) for at in (0, 4))
    return KendallW(w, chi2, df, chi2_p(chi2, df), k, complete, of)


def _overall_alpha(queries: Sequence[dict[str, float]]) -> dict[str, float]:
    return {
        level: float(known_mean(np.array([alpha[level] for alpha in queries]), 0))
        for level in LEVELS
    }


def _overall_icc(queries: Sequence[IntraclassCorrelation]) -> IntraclassCorrelation:
    """Means of the forms and k over queries; sums of the counts."""
    means: list[float] = known_mean(np.array([query[:7] for query in queries]), 0).tolist()
    counts = (sum(query[at] for query in queries) for at in (7, 8, 9))
    return IntraclassCorrelation._make([*means, *counts])


def _overall_ceilings(queries: Sequence[QueryAgreement]) -> dict[str, Ceilings]:
    by_query = np.array([query.ceilings for query in queries]).T
    low, high = t_interval(by_query, (-1.0, 1.0))
    return {
        "ceilings": Ceilings(*known_mean(by_query, 1).tolist()),
        "ceilings_low": Ceilings(*low.tolist()),
        "ceilings_high": Ceilings(*high.tolist()),
    }


def _w_record(found: KendallW) -> dict[str, Any]:
    return {"w": found.w, "chi2": found.chi2, "df": found.df, "p": found.p, "k": found.k}


def _icc_record(found: IntraclassCorrelation) -> dict[str, float]:
    """The six forms by Shrout and Fleiss's names."""
    return {
        f"ICC({model},{averaged})": getattr(found, f"icc_{model}_{averaged}")
        for averaged in ("1", "k")
        for model in (1, 2, 3)
    }
