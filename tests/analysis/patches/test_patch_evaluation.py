"""HPatches retrieval: by hand with both definitions, and by loops over real tasks."""

from pathlib import Path

import numpy as np
import pytest

from analysis.errors import InputError
from analysis.files.hpatches.retrieval import RetrievalTask, read_task
from analysis.patches.patch_evaluation import hbench_printed_mean, patch_retrieval

IMAGES = ["ref", "e1", "e2", "e3", "e4", "e5"]
POOL = [f"{s}.{i}" for s in "ab" for i in IMAGES]


def _task(query="a.ref.1", patches=None):
    same = [f"a.{i}.1" for i in IMAGES[1:]] if patches is None else patches
    return RetrievalTask(Path("t.benchmark"), POOL, [query], [same])


def _hits(*places, far="b"):
    """50 hits of the other sequence, except those at the given ranks (from 1)."""
    hits = [f"{far}.{IMAGES[k % 6]}.{k // 6}" for k in range(50)]
    for place, name in places:
        hits[place - 1] = name
    return hits


def test_patch_ap_by_hand():
    found = _hits((1, "a.e1.1"), (4, "a.e3.1"))
    judged = patch_retrieval(_task(), [found])
    assert judged.patch_ap[0] == pytest.approx((1 / 1 + 2 / 4) / 5)
    assert judged.patch_hits[0] == 2


def test_hbench_divides_by_what_was_found():
    found = _hits((1, "a.e1.1"), (4, "a.e3.1"))
    judged = patch_retrieval(_task(), [found], hbench=True)
    assert judged.patch_ap[0] == pytest.approx((1 / 1 + 2 / 4) / 2)
    one = patch_retrieval(_task(), [_hits((1, "a.e1.1"))], hbench=True)
    assert one.patch_ap[0] == 1.0
    assert patch_retrieval(_task(), [_hits()], hbench=True).patch_map == 0.0


def test_the_printed_mean_has_an_empty_entry():
    assert hbench_printed_mean(np.array([0.5, 1.0])) == 0.5


def test_without_queries_there_is_no_printed_mean():
    with pytest.raises(InputError, match="there are no average precisions"):
        hbench_printed_mean(np.array([]))


def test_image_ap_divides_by_at_most_50():
    found = _hits((1, "a.e1.999"), (2, "a.e2.7"))
    judged = patch_retrieval(_task(), [found])
    assert judged.image_relevant[0] == 50
    assert judged.image_ap[0] == pytest.approx((1 + 1) / 50)
    assert patch_retrieval(_task(), [found], hbench=True).image_ap[0] == 1.0


def test_image_ap_in_a_small_sequence():
    # patches 0, 1 and 2 of six images: 17 other than the query
    found = _hits((1, "a.e1.2"), (3, "a.e1.0"))
    judged = patch_retrieval(_task(), [found])
    assert judged.image_relevant[0] == 17
    assert judged.image_ap[0] == pytest.approx((1 + 2 / 3) / 17)


def test_a_perfect_descriptor_reaches_one():
    same = [f"a.{i}.1" for i in IMAGES[1:]]
    rest = [f"a.{i}.{k}" for k in range(2, 12) for i in IMAGES][:45]
    judged = patch_retrieval(_task(), [same + rest])
    assert judged.patch_map == 1.0 and judged.image_map == 1.0


def _ap(hits, relevant):
    found, total = 0, 0.0
    for rank, hit in enumerate(hits, start=1):
        if hit:
            found += 1
            total += found / rank
    return total / relevant if relevant else 0.0


@pytest.mark.parametrize("hbench", [False, True])
def test_random_hits_of_a_real_task(shared_data, hbench):
    folder = shared_data / "hpatches_tasks"
    task = read_task(folder / "train_easy_5s_00.benchmark", folder / "train_easy_5s_00.labels")
    rng = np.random.default_rng(1)
    found = []
    for query, same in zip(task.queries, task.same_patch, strict=True):
        names = {f"{rng.choice(task.pool)}.{rng.integers(1500)}" for _ in range(60)}
        names |= set(rng.choice(same, 3))
        found.append(rng.permutation(sorted(names - {query}))[:50].tolist())
    judged = patch_retrieval(task, found, hbench)
    for k in range(0, 500, 17):
        sequence = task.queries[k].split(".")[0]
        patch = [name in task.same_patch[k] for name in found[k]]
        image = [name.split(".")[0] == sequence for name in found[k]]
        assert judged.patch_ap[k] == pytest.approx(_ap(patch, sum(patch) if hbench else 5))
        assert judged.image_ap[k] == pytest.approx(_ap(image, sum(image) if hbench else 50))


def test_refusals():
    with pytest.raises(InputError, match="each query should have 50 hits"):
        patch_retrieval(_task(), [_hits()[:49]])
    with pytest.raises(InputError, match=r"a\.ref\.1 has no other patch"):
        patch_retrieval(_task(patches=[]), [_hits()])
    with pytest.raises(InputError, match="has no labels"):
        patch_retrieval(RetrievalTask(Path("t"), POOL, ["a.ref.1"], []), [_hits()])
