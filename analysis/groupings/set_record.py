"""The results of one set as a record, for `agreement.json` and the web pages."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.groupings.consensus import CRITERION
from analysis.groupings.grouping import NOT_PLACED
from analysis.groupings.reliability import Reliability
from analysis.groupings.set_agreement import MeanAgreement, SetAgreement

DEFINITIONS = {
    "bcubed": "means over unordered pairs of participants who placed at least two stimuli in "
    "common, on the stimuli that both placed; each participant of a pair is once the system and "
    "once the reference, so mean precision and recall are equal; f_low and f_high: 95 % interval "
    "over participants (jackknife, Student's t; not computed below 4 participants)",
    "f_random": "F of the expected precision and recall of random groupings with the same group "
    "sizes (closed form); f_random_drawn: mean over permutations of all groupings; "
    "f_random_spread: central 95 % of the permutations",
    "f_adjusted": "(f - f_random) / (1 - f_random)",
    "p_value": "(draws with an F at least as high + 1) / (draws + 1)",
    "f_alone": "mean F between each participant and the baseline with each stimulus alone",
    "ari": "adjusted Rand index: mean over pairs of participants; if they placed different "
    "parts, sum of (index - expected) over sum of (maximum - expected)",
    "median_in_common": "median over pairs of the number of stimuli that both participants placed",
    "reliability": "split_half: correlation of the similarities from two random halves, over "
    "pairs of stimuli, extrapolated with the Spearman-Brown formula, mean over halves; low, high: "
    "its 95 % interval over participants (jackknife of Fisher's z, Student's t; not computed below "
    "4 participants); curve: mean correlation of two samples of each size; needed: total number of "
    "participants for the lower bound to reach .80 and .90 (enough: whether it does now), "
    "expected: the same for split_half",
    "null": "undefined: agreement if no two participants placed two stimuli in common; f_adjusted "
    "if f_random is 1; intervals below 4 participants; reliability below 2 participants, or if "
    "the halves have no variance; numbers of participants needed if the reliability or its bound "
    "is not above 0; sd of one participant",
}


def summary(found: SetAgreement) -> dict[str, Any]:
    """The record of a set, as written to `agreement.json`.

    Parameters
    ----------
    found : SetAgreement

    Returns
    -------
    dict
        JSON types; NaN if undefined.
    """
    groups = found.groups_per_participant
    return {
        "participants": found.participants,
        "stimuli": found.groupings.shape[1],
        "bcubed": _bcubed(found.mean),
        "rand": found.mean.rand,
        "ari": found.mean.ari,
        "median_in_common": found.mean.median_in_common,
        "groups_per_participant": _spread(groups[groups > 0]),
        "stimuli_placed_per_participant": _spread((found.groupings != NOT_PLACED).sum(axis=1)),
        "reliability": _reliability(found.reliability, found.participants),
        "consensus": {
            "groups": int(found.consensus.groups.max()) + 1,
            "criterion": CRITERION,
            "mean_ari": found.consensus.ari,
            "mean_ari_before_moves": found.consensus.ari_of_cut,
        },
        "pairs_of_stimuli_nobody_placed_both": int(found.pairs_by_both[0]),
        "definitions": DEFINITIONS,
    }


def _bcubed(mean: MeanAgreement) -> dict[str, float | list[float]]:
    return {
        "precision": mean.precision,
        "recall": mean.recall,
        "f": mean.f,
        "f_low": mean.f_interval.low,
        "f_high": mean.f_interval.high,
        "f_random": mean.f_random,
        "f_random_low": mean.f_random_interval.low,
        "f_random_high": mean.f_random_interval.high,
        "f_random_drawn": mean.f_random_drawn,
        "f_random_spread": [mean.f_random_spread.low, mean.f_random_spread.high],
        "f_adjusted": mean.f_adjusted,
        "f_alone": mean.f_alone,
        "p_value": mean.p_value,
        "draws": mean.draws,
        "seed": mean.seed,
    }


def _reliability(found: Reliability, participants: int) -> dict[str, Any]:
    return {
        "split_half": found.split_half,
        "low": found.low,
        "high": found.high,
        "correlation_of_halves": found.correlation,
        "halves": found.halves,
        "seed": found.seed,
        "curve": [vars(point) for point in found.curve],
        "needed": {
            f"{target:.2f}": {
                "participants": needed,
                "more": None if needed is None else max(0, needed - participants),
                "enough": found.enough(target),
                "expected": found.expected[target],
            }
            for target, needed in found.needed.items()
        },
    }


def _spread(counts: NDArray[np.int64]) -> dict[str, float]:
    if not len(counts):
        return dict.fromkeys(("mean", "sd", "min", "median", "max"), float("nan"))
    return {
        "mean": float(counts.mean()),
        "sd": float(counts.std(ddof=1)) if len(counts) > 1 else float("nan"),
        "min": int(counts.min()),
        "median": float(np.median(counts)),
        "max": int(counts.max()),
    }
