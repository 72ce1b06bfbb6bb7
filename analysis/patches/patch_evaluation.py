"""HPatches retrieval: average precision of finding the same patch, and the same image sequence.

Each query patch is searched in a pool of patches, and its 50 best hits are judged twice: in
*patch retrieval* the same physical point is relevant, in *image retrieval* any patch of the same
image sequence.

Two definitions are in use. Here, average precision is over all relevant patches: the other patches
of the point, or min(R, 50) patches of the sequence, where R is their number in the pool without the
query. The public code "hbench" divides by the number *found* instead, so that one hit at rank 1
with five missed gives AP 1, and prints a mean over N + 1 (with an empty entry before the first
query).

The files do not give R. Its lower bound comes from the patches that they name, and from the highest
patch index times the images of the sequence, since patches are numbered densely; a bound of 50 or
more is sufficient. Queries with a lower bound are counted; their AP may be too high.

References
----------
.. [1] V. Balntas et al., "HPatches: A benchmark and evaluation of handcrafted and learned local
   descriptors", CVPR 2017, and the task files and code of 2016.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.arrays import as_floats
from analysis.errors import InputError
from analysis.files.hpatches.retrieval import RetrievalTask, image_of, sequence_of
from analysis.retrieval.measures import average_precision

Values = NDArray[np.float64]
JUDGED = 50


@dataclass(frozen=True)
class PatchRetrieval:
    """The result of `patch_retrieval`.

    Attributes
    ----------
    patch_ap, image_ap : float arrays, shape (queries,)
    patch_hits, image_hits : int arrays, shape (queries,)
        Relevant hits among the 50.
    patch_relevant, image_relevant : int arrays, shape (queries,)
        The divisor of the AP.
    """

    patch_ap: Values
    image_ap: Values
    patch_hits: NDArray[np.int64]
    image_hits: NDArray[np.int64]
    patch_relevant: NDArray[np.int64]
    image_relevant: NDArray[np.int64]

    @property
    def patch_map(self) -> float:
        """Mean patch AP over queries."""
        return float(np.mean(self.patch_ap))

    @property
    def image_map(self) -> float:
        """Mean image AP over queries."""
        return float(np.mean(self.image_ap))


def patch_retrieval(
    task: RetrievalTask, found: Sequence[Sequence[str]], hbench: bool = False
) -> PatchRetrieval:
    """Score retrieved patches against the labels of a task.

    Parameters
    ----------
    task : RetrievalTask
        With labels, from `analysis.files.hpatches.retrieval.read_task`.
    found : sequence of sequence of str
        For each query its 50 hits, best first, without the query.
    hbench : bool
        Divide by the relevant patches found, as the public code does; AP is 0 if none is found.

    Returns
    -------
    PatchRetrieval

    Raises
    ------
    InputError
        If the task has no query or no labels, a query has no patch to find, or there are not 50
        hits for every query, all different and none the query itself.

    References
    ----------
    .. [1] V. Balntas et al., "HPatches: A benchmark and evaluation of handcrafted and learned
       local descriptors", CVPR 2017, and the task files and code of 2016.

    Examples
    --------
    Two other patches of the point are in the pool; one is found, at rank 2:

    >>> from pathlib import Path
    >>> task = RetrievalTask(
    ...     Path("t.benchmark"),
    ...     pool=["v_a.ref", "v_a.e1", "v_a.e2"],
    ...     queries=["v_a.ref.1"],
    ...     same_patch=[["v_a.e1.1", "v_a.e2.1"]],
    ... )
    >>> found = [["v_a.ref.7", "v_a.e2.1", *(f"v_a.e1.{k}" for k in range(100, 148))]]
    >>> patch_retrieval(task, found).patch_map, patch_retrieval(task, found).image_map
    (0.25, 1.0)
    >>> patch_retrieval(task, found, hbench=True).patch_map
    0.5
    """
    if not task.queries:
        raise InputError("has no query to score", task.path)
    if len(task.same_patch) != len(task.queries):
        raise InputError("needs its labels to be scored, but they were not read", task.path)
    if len(found) != len(task.queries) or any(len(hits) != JUDGED for hits in found):
        raise InputError(f"{JUDGED} hits are needed for each of {len(task.queries)} queries")
    for query, hits in zip(task.queries, found, strict=True):
        if len({query, *hits}) <= JUDGED:
            raise InputError(f"query {query} has the same hit twice, or itself among its hits")
    lonely = [q for q, same in zip(task.queries, task.same_patch, strict=True) if not same]
    if lonely and not hbench:
        raise InputError(
            f"query {lonely[0]} has no other patch to find; its AP is undefined",
            task.labels,
        )
    patch = _hits(found, [set(same) for same in task.same_patch], key=str)
    if hbench:
        near = [{image_of(p) for p in same} | {image_of(q)} for q, same in _labelled(task)]
        image = _hits(found, near, key=image_of)
        return _judged(patch, image, patch.sum(1), image.sum(1))
    image = _hits(found, [{sequence_of(query)} for query in task.queries], key=sequence_of)
    others = _others_at_least(task, found)
    bound = np.array([others[sequence_of(query)] for query in task.queries])
    relevant = np.array([len(same) for same in task.same_patch])
    return _judged(patch, image, relevant, np.minimum(bound, JUDGED))


def hbench_printed_mean(ap: ArrayLike) -> float:
    """Mean as the public code prints it: the sum over N + 1, since it counts an empty entry.

    Parameters
    ----------
    ap : array_like, shape (queries,)
        Average precision of each query, in [0, 1].

    Returns
    -------
    float

    Raises
    ------
    InputError
        If there is no query, or a value is not in [0, 1].

    References
    ----------
    .. [1] The first public code ("hbench") of the HPatches benchmark, 2016: the mAP it prints.

    Examples
    --------
    >>> hbench_printed_mean([1.0, 1.0, 1.0])
    0.75
    """
    values = as_floats(ap, "average precisions")
    if values.ndim != 1 or not values.size:
        raise InputError("there is no query to average over; score at least one")
    if not np.all((values >= 0) & (values <= 1)):
        raise InputError("an average precision should be a number from 0 to 1")
    return float(values.sum() / (values.size + 1))


def _labelled(task: RetrievalTask) -> Iterable[tuple[str, list[str]]]:
    return zip(task.queries, task.same_patch, strict=True)


def _hits(
    found: Sequence[Sequence[str]], wanted: Sequence[set[str]], key: Callable[[str], str]
) -> NDArray[np.bool_]:
    """Whether each hit is relevant to its query, shape (queries, 50)."""
    return np.array(
        [[key(patch) in right for patch in hits] for hits, right in zip(found, wanted, strict=True)]
    )


def _others_at_least(task: RetrievalTask, found: Sequence[Sequence[str]]) -> dict[str, int]:
    """Lower bound of the pool patches of each sequence, less one for the query."""
    named: dict[str, set[str]] = defaultdict(set)
    for patches in (task.queries, *task.same_patch, *found):
        for patch in patches:
            named[sequence_of(patch)].add(patch)
    images = Counter(image_of(image) for image in task.pool)
    index = {seq: {int(p.rpartition(".")[2]) for p in patches} for seq, patches in named.items()}
    from_zero = any(0 in numbers for numbers in index.values())
    return {
        sequence: max(len(patches), images[sequence] * (max(index[sequence]) + from_zero)) - 1
        for sequence, patches in named.items()
    }


def _judged(
    patch: NDArray[np.bool_],
    image: NDArray[np.bool_],
    patch_relevant: NDArray[np.int64],
    image_relevant: NDArray[np.int64],
) -> PatchRetrieval:
    return PatchRetrieval(
        patch_ap=np.nan_to_num(average_precision(patch, patch_relevant)),
        image_ap=np.nan_to_num(average_precision(image, image_relevant)),
        patch_hits=patch.sum(1),
        image_hits=image.sum(1),
        patch_relevant=patch_relevant,
        image_relevant=image_relevant,
    )
