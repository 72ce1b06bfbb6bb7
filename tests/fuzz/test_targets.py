"""A bounded number of mutated inputs for every parser, at every run of the tests."""

import contextlib

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fuzz.targets import REFUSALS, TARGETS

pytestmark = pytest.mark.slow

PLACES = st.integers(0, 2**16)
CHANGES = st.lists(
    st.one_of(
        st.tuples(st.just("set"), PLACES, st.integers(0, 255)),
        st.tuples(st.just("cut"), PLACES, st.integers(1, 40)),
        st.tuples(st.just("put"), PLACES, st.binary(min_size=1, max_size=12)),
        st.tuples(st.just("again"), PLACES, st.integers(1, 40)),
        st.tuples(st.just("put"), PLACES, st.sampled_from([b"[]", b"1e999", b"9" * 5000, b"\xb2"])),
    ),
    max_size=8,
)


def changed(content, changes):
    """A good input with some of its bytes set, cut, repeated, or others put between them."""
    for kind, place, value in changes:
        at = place % (len(content) + 1)
        if kind == "set":
            content = content[:at] + bytes([value]) + content[at + 1 :]
        elif kind == "cut":
            content = content[:at] + content[at + value :]
        elif kind == "put":
            content = content[:at] + value + content[at:]
        else:
            content = content[:at] + content[at : at + value] + content[at:]
    return content


@pytest.mark.parametrize("name", TARGETS)
def test_every_parser_returns_a_result_or_refuses(name):
    good, parse, slow = TARGETS[name]

    @settings(
        max_examples=15 if slow else 150,
        suppress_health_check=[HealthCheck.too_slow],
        derandomize=True,
    )
    @given(st.one_of(CHANGES.map(lambda changes: changed(good, changes)), st.binary(max_size=300)))
    def try_(content):
        with contextlib.suppress(*REFUSALS):
            parse(content)

    parse(good)
    try_()
