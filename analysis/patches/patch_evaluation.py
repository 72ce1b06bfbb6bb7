"""HPatches retrieval: average precision of finding the same patch, and the same image sequence.

Each query patch is searched in a pool of patches, and its 50 best hits are judged twice: *patch
retrieval* wants the same physical point, *image retrieval* any patch of the same image sequence.

Two definitions are about. Here, average precision is over what there is to find: the other patches
of the point, and min(R, 50) patches of the sequence, R being all of them in the pool without the
query. The public code "hbench" divides by what *was* found instead, so that one hit at rank 1
among five missed gives AP 1, and prints a mean over N + 1 (an empty entry stands before the first
query).

R is not in the files. It is bounded from below by the patches that they name, and by the highest
patch index times the images of the sequence, since patches are numbered densely; from 50 on the
bound is exact enough. Queries that stay below are counted, their AP may be too high.

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
    """What `patch_retrieval` finds.

    Attributes
    ----------
    patch_ap, image_ap : float arrays, shape (queries,)
    patch_hits, image_hits : int arrays, shape (queries,)
        Relevant ones among the 50.
    patch_relevant, image_relevant : int arrays, shape (queries,)
        What the AP is divided by.
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
    """Judge the patches that were found.

    Parameters
    ----------
    task : RetrievalTask
        With labels, as `analysis.files.hpatches.retrieval.read_task` gives it.
    found : sequence of sequence of str
        For each query its 50 hits, best first, without the query.
    hbench : bool
        Divide by the relevant patches found, 0 where there are none, as the public code does.

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
        raise InputError("has no query to judge", task.path)
    if len(task.same_patch) != len(task.queries):
        raise InputError("is to be judged, but its labels were not read", task.path)
    if len(found) != len(task.queries) or any(len(hits) != JUDGED for hits in found):
        raise InputError(f"{JUDGED} hits are needed for each of {len(task.queries)} queries")
    for query, hits in zip(task.queries, found, strict=True):
        if len({query, *hits}) <= JUDGED:
            raise InputError(f"query {query} has a hit twice, or itself among its hits")
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
    """Mean as the public code prints it: the sum over N + 1, an empty entry being counted.

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
        raise InputError("there is no query to average over; judge at least one")
    if not np.all((values >= 0) & (values <= 1)):
        raise InputError("an average precision is a number from 0 to 1")
    return float(values.sum() / (values.size + 1))


def _labelled(task: RetrievalTask) -> Iterable[tuple[str, list[str]]]:
    return zip(task.queries, task.same_patch, strict=True)


def _hits(
    found: Sequence[Sequence[str]], wanted: Sequence[set[str]], key: Callable[[str], str]
) -> NDArray[np.bool_]:
    """Whether each hit is one of those that its query wants, shape (queries, 50)."""
    return np.array(
        [[key(patch) in right for patch in hits] for hits, right in zip(found, wanted, strict=True)]
    )


def _others_at_least(task: RetrievalTask, found: Sequence[Sequence[str]]) -> dict[str, int]:
    """For each sequence, how many pool patches it has at least, one of them left out."""
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
