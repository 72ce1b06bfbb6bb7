"""Who gets which queries: balanced, sampled from seeds, repeatable."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from study_app.participation.links.joining import sitting_seed
from study_app.ranking.allocation.block_design import TaskQuery, allocate_queries, choose_queries

LISTED = [
    TaskQuery(n, 100 + n, tuple(range(200 + 10 * n, 206 + 10 * n)), n == 9) for n in range(1, 10)
]


@given(
    queries=st.integers(1, 20),
    part=st.integers(1, 8),
    quota=st.integers(1, 6),
    seed=st.integers(0, 10**6),
)
def test_parts_stay_balanced_until_the_quota_is_full(queries, part, quota, seed):
    taken = dict.fromkeys(range(queries), 0)
    for number in range(queries * quota):
        chosen = choose_queries(taken, quota, part, sitting_seed(seed, number))
        if not chosen:
            break
        assert len(set(chosen)) == len(chosen) <= part
        for query in chosen:
            taken[query] += 1
        assert max(taken.values()) - min(taken.values()) <= 1
        assert max(taken.values()) <= quota
    assert set(taken.values()) == {quota}


def test_freed_places_are_assigned_first():
    assert choose_queries({1: 4, 2: 3, 3: 4, 4: 2}, 5, 2, seed=1) == [4, 2]


def test_participants_get_all_queries_while_the_quota_is_open():
    assert sorted(choose_queries({1: 3, 2: 2}, 3, None, seed=1)) == [1, 2]
    assert choose_queries({1: 3, 2: 3}, 3, None, seed=1) == []


@given(st.integers(0, 2**31))
def test_an_allocation_is_reproduced_from_its_seed(seed):
    chosen = [1, 2, 3, 4, 5, 6]
    allocated = allocate_queries(LISTED, chosen, repeats=2, checks=2, seed=seed)
    assert allocated == allocate_queries(LISTED, chosen, repeats=2, checks=2, seed=seed)
    assert [query.kind for query in allocated] == ["practice"] + ["main"] * 6 + ["repeat"] * 2
    by_id = {query.query_id: query for query in LISTED}
    for query in allocated:
        listed = by_id[query.query_id]
        shown = set(listed.image_ids) | ({listed.sketch_id} if query.checked else set())
        assert sorted(query.shown_order) == sorted(shown)
    main = [query.query_id for query in allocated if query.kind == "main"]
    assert {q.query_id for q in allocated if q.kind == "repeat"} <= set(main[:3])
    assert sum(query.checked for query in allocated) == 2


def test_orders_are_shuffled_and_positions_are_balanced():
    firsts = Counter()
    for number in range(600):
        allocated = allocate_queries(LISTED, [1], 0, 0, sitting_seed(5, number))
        firsts[allocated[-1].shown_order[0]] += 1
    assert len(firsts) == 6
    # Expected 100 each with a standard deviation of 9.
    assert max(firsts.values()) < 150 and min(firsts.values()) > 55
