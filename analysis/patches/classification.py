"""Classification of labelled pairs by distance: ROC and precision-recall from one sort.

The task of patch-verification benchmarks: decide by a threshold on the distance whether a pair of
patches is positive (shows the same physical point) or negative.

Conventions
-----------
``distances`` has shape (pairs,), smaller is more similar; ``labels`` are 1 (positive) or 0. Pairs
with equal distances pass a threshold together, so the order of rows has no effect: constant
distances give the share of positives as AP, and AUC = 0.5. The first public code of HPatches,
"hbench", instead accepts tied rows one by one in file order. Positives usually come first, which
inflates its scores; ``ties="rows"`` reproduces them.

Metrics
-------
auc : area under the ROC curve, the probability that a positive pair is nearer than a negative one.
fpr95 : false-positive rate at the first threshold that accepts 95 % of the positives.
ap : average precision, the step sum of precision over recall.
ap_trapezoid : area under the precision-recall curve from (0, 1) by trapezoids, printed by hbench.

References
----------
.. [1] V. Balntas et al., "HPatches: A benchmark and evaluation of handcrafted and learned local
   descriptors", CVPR 2017.
.. [2] S. Winder, G. Hua and M. Brown, "Picking the best DAISY", CVPR 2009: FPR at 95 % recall.
.. [3] J. Davis and M. Goadrich, "The relationship between precision-recall and ROC curves", ICML
   2006.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.arrays import as_floats, as_numbers
from analysis.errors import InputError

Ties = Literal["together", "rows"]
Values = NDArray[np.float64]
Counts = NDArray[np.int64]


@dataclass(frozen=True)
class PairCurves:
    """Counts of accepted pairs at each threshold where recall increases; linear in between.

    Attributes
    ----------
    thresholds : float array, shape (thresholds,)
        Distances of positive pairs, ascending; pairs with at most this distance are accepted.
    true_positives, false_positives : int arrays, shape (thresholds,)
        Numbers of positive and negative pairs accepted at each threshold.
    false_before : int array, shape (thresholds,)
        Number of negatives below each threshold; the other false positives tie with positives.
    positives, negatives : int
        Numbers of all positive and negative pairs.
    """

    thresholds: Values
    true_positives: Counts
    false_positives: Counts
    false_before: Counts
    positives: int
    negatives: int

    @property
    def true_before(self) -> Counts:
        """Number of positives below each threshold."""
        return np.concatenate(([0], self.true_positives[:-1]))

    @property
    def recall(self) -> Values:
        """True-positive rate at each threshold."""
        return self.true_positives / self.positives

    @property
    def precision(self) -> Values:
        """Share of positives among the accepted pairs at each threshold."""
        return self.true_positives / (self.true_positives + self.false_positives)

    @property
    def auc(self) -> float:
        """Area under the ROC curve: share of (positive, negative) in order, counting ties half."""
        doubled = np.dot(self._steps, self.false_positives + self.false_before)
        pairs = 2 * self.positives * self.negatives
        return float(pairs - doubled) / pairs

    @property
    def fpr95(self) -> float:
        """False-positive rate at the first threshold whose recall is at least .95."""
        first = np.searchsorted(self.true_positives, -(-self.positives * 19 // 20))
        return float(self.false_positives[first] / self.negatives)

    @property
    def ap(self) -> float:
        """Average precision: precision at each threshold, weighted by the increase in recall."""
        return float(np.dot(self._steps, self.precision) / self.positives)

    @property
    def ap_trapezoid(self) -> float:
        """Area under the precision-recall curve from (0, 1), by trapezoids."""
        accepted = self.true_before + self.false_before
        before = np.where(accepted == 0, 1.0, self.true_before / np.maximum(accepted, 1))
        return float(np.dot(self._steps, self.precision + before) / (2 * self.positives))

    @property
    def _steps(self) -> Counts:
        return np.diff(self.true_positives, prepend=0)

    def roc(self) -> tuple[Values, Values]:
        """Corners of the ROC curve, false- and true-positive rates, from (0, 0) to (1, 1)."""
        fp = np.stack((self.false_before, self.false_positives), axis=1).ravel()
        tp = np.stack((self.true_before, self.true_positives), axis=1).ravel()
        rates = np.append(fp / self.negatives, 1.0), np.append(tp / self.positives, 1.0)
        return np.insert(rates[0], 0, 0.0), np.insert(rates[1], 0, 0.0)


def validate(distances: ArrayLike, labels: ArrayLike) -> tuple[Values, NDArray[np.bool_]]:
    """Check distances and labels and return them as arrays.

    Parameters
    ----------
    distances : array_like, shape (pairs,)
    labels : array_like of 0 and 1, shape (pairs,)

    Returns
    -------
    distances : float array, shape (pairs,)
    positive : bool array, shape (pairs,)

    Raises
    ------
    InputError
        If the shapes differ, a distance is NaN or infinite, a label is neither 0 nor 1, or there
        are no positive or no negative pairs.
    """
    d, label = as_floats(distances, "distances"), as_numbers(labels, "labels")
    if d.ndim != 1 or d.shape != label.shape:
        raise InputError(
            "distances and labels should be two lists of the same length, "
            f"but have shapes {d.shape} and {label.shape}"
        )
    finite = np.isfinite(d)
    if not finite.all():
        first = int(np.argmin(finite))
        raise InputError(f"the distance of pair {first} is {d[first]}; give finite numbers")
    positive = label == 1
    known = positive | (label == 0)
    if not known.all():
        first = int(np.argmin(known))
        raise InputError(f"the label of pair {first} is {label[first]}; labels are 0 or 1")
    check_both_labels(int(positive.sum()), d.size)
    return d, positive


def check_both_labels(positives: int, pairs: int) -> None:
    """Check that there are positive and negative pairs.

    Raises
    ------
    InputError
        If there are no positive or no negative pairs.
    """
    if positives == 0 or positives == pairs:
        missing = "positive" if positives == 0 else "negative"
        raise InputError(
            f"there are no {missing} pairs among {pairs}; ROC and precision-recall need both labels"
        )


def pair_curves(distances: ArrayLike, labels: ArrayLike, ties: Ties = "together") -> PairCurves:
    """Count the pairs accepted at each threshold; the result has all measures as properties.

    Parameters
    ----------
    distances : array_like, shape (pairs,)
    labels : array_like of 0 and 1, shape (pairs,)
    ties : {"together", "rows"}
        Whether pairs with equal distances are accepted together, or row by row as in hbench.

    Returns
    -------
    PairCurves

    Raises
    ------
    InputError
        As for `validate`, or if `ties` is neither of the two.

    References
    ----------
    .. [1] T. Fawcett, "An introduction to ROC analysis", Pattern Recognition Letters 27 (2006)
       861-874: equal scores share one threshold.
    .. [2] V. Balntas et al., "HPatches: A benchmark and evaluation of handcrafted and learned
       local descriptors", CVPR 2017: the task.

    Examples
    --------
    >>> curves = pair_curves([0.1, 0.2, 0.3, 0.4], [1, 0, 1, 0])
    >>> round(curves.ap, 4), curves.auc, curves.fpr95, round(curves.ap_trapezoid, 4)
    (0.8333, 0.75, 0.5, 0.7917)
    >>> constant = pair_curves([1, 1, 1, 1], [1, 1, 0, 0])
    >>> constant.ap, constant.auc
    (0.5, 0.5)
    >>> rows = pair_curves([1, 1, 1, 1], [1, 1, 0, 0], ties="rows")
    >>> rows.ap, rows.auc
    (1.0, 1.0)
    """
    d, positive = validate(distances, labels)
    if ties == "together":
        return _by_distance(d, positive)
    if ties == "rows":
        return _by_row(d, positive)
    raise InputError(f"ties should be 'together' or 'rows', but is {ties!r}")


def _by_distance(d: Values, positive: NDArray[np.bool_]) -> PairCurves:
    """Sort each label's distances separately, which is faster, and merge them."""
    near, far = np.sort(d[positive]), np.sort(d[~positive])
    last = np.flatnonzero(np.append(near[1:] != near[:-1], True))
    thresholds = near[last]
    after = np.searchsorted(far, thresholds, side="right")
    before = after
    tied = np.flatnonzero((after > 0) & (far[np.maximum(after, 1) - 1] == thresholds))
    if tied.size:
        before = after.copy()
        before[tied] = np.searchsorted(far, thresholds[tied], side="left")
    return PairCurves(thresholds, last + 1, after, before, near.size, far.size)


def _by_row(d: Values, positive: NDArray[np.bool_]) -> PairCurves:
    order = np.argsort(d, kind="stable")
    places = np.flatnonzero(positive[order])
    true_positives = np.arange(1, places.size + 1)
    before = places + 1 - true_positives
    negatives = d.size - places.size
    return PairCurves(d[order[places]], true_positives, before, before, places.size, negatives)


def balanced(labels: ArrayLike) -> NDArray[np.int64]:
    """Balanced protocol: all positives, and the same number of negatives, the first in order.

    Parameters
    ----------
    labels : array_like of 0 and 1, shape (pairs,)

    Returns
    -------
    int array, shape (2 * positives,)
        Indices of the chosen pairs, ascending.

    Raises
    ------
    InputError
        If the labels are not a list of 0 and 1, there are no positive pairs, or there are fewer
        negatives than positives.

    References
    ----------
    .. [1] V. Balntas et al., "HPatches: A benchmark and evaluation of handcrafted and learned
       local descriptors", CVPR 2017: the balanced protocol.

    Examples
    --------
    >>> balanced([0, 1, 0, 0, 1, 0]).tolist()
    [0, 1, 2, 4]
    """
    label = as_numbers(labels, "labels")
    positive = label == 1
    if label.ndim != 1 or not np.all(positive | (label == 0)):
        raise InputError("labels should be a list of 0 and 1")
    if not positive.any():
        raise InputError(f"there are no positive pairs among {label.size} pairs")
    negatives = np.flatnonzero(~positive)
    wanted = int(positive.sum())
    if negatives.size < wanted:
        raise InputError(
            "the balanced protocol needs at least as many negative as positive pairs; "
            f"found {negatives.size} negative and {wanted} positive"
        )
    return np.sort(np.concatenate((np.flatnonzero(positive), negatives[:wanted])))
