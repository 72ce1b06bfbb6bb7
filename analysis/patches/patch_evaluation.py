"""HPatches retrieval: average precision for the same patch, and for the same image sequence.

Each query patch is searched in a pool of patches, and its 50 best hits are evaluated twice: in
*patch retrieval*, patches of the same physical point are relevant; in *image retrieval*, all
patches of the same image sequence.

Two definitions are in use. Here, average precision is over all relevant patches: the other patches
of the point, or min(R, 50) patches of the sequence, where R is their number in the pool without the
query. The public code "hbench" divides by the number *found* instead, so that one hit at rank 1
with five missed gives AP 1. It also prints a mean over N + 1 queries, since it counts an empty
entry before the first.

The files do not contain R. A lower bound follows from the patches that they name, and from the
highest patch index times the number of images of the sequence, since patches are numbered without
gaps. A bound of 50 or more is sufficient. Queries whose bound is below 50 are counted; their AP may
be too high.

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
HITS = 50


@dataclass(frozen=True)
class PatchRetrieval:
    """The result of `patch_retrieval`.

    Attributes
    ----------
    patch_ap, image_ap : float arrays, shape (queries,)
        Average precision, in [0, 1].
    patch_hits, image_hits : int arrays, shape (queries,)
        Number of relevant hits among the 50.
    patch_relevant, image_relevant : int arrays, shape (queries,)
        Number of relevant patches: the divisor of the AP.
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
    """Evaluate retrieved patches against the labels of a task.

    Parameters
    ----------
    task : RetrievalTask
        With labels, from `analysis.files.hpatches.retrieval.read_task`.
    found : sequence of sequence of str
        The 50 hits of each query, best first, without the query itself.
    hbench : bool
        Divide by the relevant patches found, as in the public code; AP is 0 if there are none.

    Returns
    -------
    PatchRetrieval

    Raises
    ------
    InputError
        If the task has no queries or no labels, a query has no other patch to find, or there are
        not 50 different hits other than the query itself for every query.

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
        raise InputError("has no queries", task.path)
    if len(task.same_patch) != len(task.queries):
        raise InputError("has no labels; read the task with its .labels file", task.path)
    if len(found) != len(task.queries) or any(len(hits) != HITS for hits in found):
        raise InputError(
            f"each query should have {HITS} hits, and there should be a list per query"
        )
    for query, hits in zip(task.queries, found, strict=True):
        if len({query, *hits}) <= HITS:
            raise InputError(f"query {query} has a repeated hit, or itself among its hits")
    lonely = [q for q, same in zip(task.queries, task.same_patch, strict=True) if not same]
    if lonely and not hbench:
        raise InputError(
            f"query {lonely[0]} has no other patch to find, so its AP is undefined",
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
    return _judged(patch, image, relevant, np.minimum(bound, HITS))


def hbench_printed_mean(ap: ArrayLike) -> float:
    """Mean AP as printed by the public code, which divides by N + 1 (it counts an empty entry).

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
        If there are no queries, or a value is not in [0, 1].

    References
    ----------
    .. [1] The first public code ("hbench") of the HPatches benchmark, 2016: the mAP that it prints.

    Examples
    --------
    >>> hbench_printed_mean([1.0, 1.0, 1.0])
    0.75
    """
    values = as_floats(ap, "average precisions")
    if values.ndim != 1 or not values.size:
        raise InputError("there are no average precisions; give at least one")
    if not np.all((values >= 0) & (values <= 1)):
        raise InputError("an average precision should be a number from 0 to 1")
    return float(values.sum() / (values.size + 1))


def _labelled(task: RetrievalTask) -> Iterable[tuple[str, list[str]]]:
    return zip(task.queries, task.same_patch, strict=True)


def _hits(
    found: Sequence[Sequence[str]], wanted: Sequence[set[str]], key: Callable[[str], str]
) -> NDArray[np.bool_]:
    """Relevance of each hit to its query, shape (queries, 50)."""
    return np.array(
        [[key(patch) in right for patch in hits] for hits, right in zip(found, wanted, strict=True)]
    )


def _others_at_least(task: RetrievalTask, found: Sequence[Sequence[str]]) -> dict[str, int]:
    """Lower bound of the number of other pool patches of each sequence, without the query."""
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
