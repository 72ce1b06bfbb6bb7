"""Computed results in memory: the longest unused is forgotten first."""

from study_app.core import cache


def test_the_longest_unused_result_is_forgotten_first():
    kept = cache.Cache()
    for key in range(cache.MOST):
        kept.put(key, str(key))
    assert kept.get(0) == "0"
    kept.put("one more", "x")
    assert (kept.get(0), kept.get(1), kept.get("one more")) == ("0", None, "x")


def test_a_fingerprint_depends_on_every_fact_and_on_their_order():
    assert cache.fingerprint(1, "a") == cache.fingerprint(1, "a")
    assert len({cache.fingerprint(*facts) for facts in [(1, "a"), ("a", 1), (1, "b"), (1,)]}) == 4


def test_a_result_is_computed_again_when_its_stamp_changes_or_all_are_forgotten():
    results, computed = cache.Cache(), []

    def ask(stamp):
        return results.kept("pace", stamp, lambda: computed.append(stamp))

    for stamp in (1, 1, 2, 2):
        ask(stamp)
    assert computed == [1, 2]
    results.clear()
    ask(2)
    assert computed == [1, 2, 2]
