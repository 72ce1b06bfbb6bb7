"""Parsing of assessors: codes, age bands, pairs, and invalid codes."""

import pytest

from study_app.sittings.assessors import AssessorCode, TooManyTogether, read_lines


def test_lines_of_assessors_and_pairs():
    text = "P01\n\nP02, 20-29, f\nP03 + P04\nP05; 30-39\nP06\t\tm"
    assert read_lines(text) == [
        [("P01", None, None)],
        [("P02", "20-29", "f")],
        [("P03", None, None), ("P04", None, None)],
        [("P05", "30-39", None)],
        [("P06", None, "m")],
    ]


@pytest.mark.parametrize("written", ["Ada Lovelace", "P" * 21, "-P01", "P01 + P01", "P01 +"])
def test_what_is_no_code_is_refused(written):
    with pytest.raises(AssessorCode):
        read_lines(written)


def test_three_assessors_cannot_sort_together():
    with pytest.raises(TooManyTogether):
        read_lines("P01 + P02 + P03")
