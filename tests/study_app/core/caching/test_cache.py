"""Computed results in memory: the longest unused is forgotten first."""

from study_app.core.caching import cache


def test_the_least_recently_used_result_is_dropped_first():
    results = cache.Cache()
    for key in range(cache.MAX_RESULTS):
        results.put(key, str(key))
    assert results.get(0) == "0"
    results.put("one more", "x")
    assert (results.get(0), results.get(1), results.get("one more")) == ("0", None, "x")


def test_a_fingerprint_depends_on_every_fact_and_on_their_order():
    assert cache.fingerprint(1, "a") == cache.fingerprint(1, "a")
    assert len({cache.fingerprint(*facts) for facts in [(1, "a"), ("a", 1), (1, "b"), (1,)]}) == 4


def test_a_result_is_computed_again_after_a_change_or_clear():
    results, computed = cache.Cache(), []

    def ask(stamp):
        return results.get_or_compute("pace", stamp, lambda: computed.append(stamp))

    for stamp in (1, 1, 2, 2):
        ask(stamp)
    assert computed == [1, 2]
    results.clear()
    ask(2)
    assert computed == [1, 2, 2]


def test_only_new_and_changed_results_are_computed():
    results, asked = cache.Cache(), []

    def compute(some):
        asked.append(some)
        return {one: 10 * one for one in some if one != 3}

    def found(stamps):
        return results.each("tens", stamps, compute)

    assert found({1: "a", 2: "a", 3: "a", 4: None}) == {1: 10, 2: 20, 4: 40}
    # One without a result is known as well; one without a stamp never is.
    assert results.changed("tens", {1: "a", 2: "b", 3: "a", 4: None, 5: "a"}) == [2, 4, 5]
    assert found({1: "a", 2: "b", 3: "a", 5: "a"}) == {1: 10, 2: 20, 5: 50}
    # Of those that are not asked for nothing is given, but it stays known.
    assert found({5: "a"}) == {5: 50}
    assert found({1: "a"}) == {1: 10}
    assert asked == [[1, 2, 3, 4], [2, 5]]
    results.clear()
    assert found({1: "a"}) == {1: 10} and asked[2] == [1]


def test_a_result_dropped_during_its_computation_is_not_cached():
    results = cache.Cache()

    def compute(some):
        results.clear()
        return dict.fromkeys(some, 1)

    assert results.each("ones", {1: "a"}, compute) == {1: 1}
    assert results.get("ones") is None
