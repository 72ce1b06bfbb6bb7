"""TREC runs and qrels: what is read, and errors with their lines."""

import gzip
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.errors import InputError
from analysis.files.runs import trec, trec_fields
from analysis.files.runs.direction import ContradictedDirection, looks_like_run
from analysis.files.runs.trec import read_qrels, read_run

RUN = "q1 Q0 a 1 0.9 s\nq1 Q0 b 2 0.5 s\nq2 Q0 a 1 3 s\n"


@pytest.fixture
def write(tmp_path):
    def _write(text, name="run.txt"):
        path = tmp_path / name
        packed = gzip.compress(text.encode()) if name.endswith(".gz") else text.encode()
        path.write_bytes(packed)
        return path

    return _write


def _documents(run, query):
    return [d for q, d in run.results.select("query", "document").iter_rows() if q == query]


@pytest.mark.parametrize("name", ["run.txt", "run.txt.gz"])
@pytest.mark.parametrize(
    "text",
    [
        RUN,
        RUN.replace("\n", "\r\n"),
        "\ufeff" + RUN,
        RUN.replace(" ", "\t"),
        RUN.replace(" ", "   ") + "\n\n",
        RUN.replace("Q0 ", "Q0\t").replace("\n", " \r\n"),
        RUN.rstrip(),
    ],
)
def test_reads_every_spelling(write, text, name):
    run = read_run(write(text, name))
    assert run.results.select("query", "document", "score", "line").rows() == [
        ("q1", "a", 0.9, 1),
        ("q1", "b", 0.5, 2),
        ("q2", "a", 3.0, 3),
    ]


def test_quotes_and_other_characters_are_part_of_an_id(write):
    run = read_run(write('q"1 Q0 "a,b" 1 1e3 s\n#q Q0 é\u00a0x 1 +2 s\n'))
    assert run.results.select("query", "document", "score").rows() == [
        ('q"1', '"a,b"', 1000.0),
        ("#q", "é\u00a0x", 2.0),
    ]


_TOKENS = st.sampled_from(["q", "1", "2.5", "nan", "-inf", '"', '"a,b"', "#", "é", "\ufeff", ""])
_LINES = st.builds(
    lambda tokens, blank, end: blank.join(tokens) + end,
    st.lists(_TOKENS, min_size=6, max_size=6) | st.lists(_TOKENS, max_size=7),
    st.sampled_from([" ", " ", " ", "\t", "  "]),
    st.sampled_from(["", "", "", " ", "\r"]),
)


@given(st.lists(_LINES, min_size=1, max_size=3))
def test_the_fast_parser_agrees_with_the_one_by_line(lines):
    raw = "\n".join(lines).encode()
    quick = trec_fields._parse_fast(raw, trec_fields.RUN, 7)
    if quick is not None:
        slow = trec_fields._line_by_line(Path("x"), raw, trec_fields.RUN, 7)
        same_kind = slow.with_columns(slow["rank"].cast(quick["rank"].dtype))
        assert quick.equals(same_kind)


def test_results_are_ordered_by_score_with_ties_in_file_order(write):
    run = read_run(
        write("q Q0 low 4 1 s\nq Q0 tie1 2 5 s\np Q0 x 1 1 s\nq Q0 tie2 3 5 s\nq Q0 top 1 9 s\n")
    )
    assert _documents(run, "q") == ["top", "tie1", "tie2", "low"]
    tied = run.results.filter(run.results["tied"])["document"].to_list()
    assert tied == ["tie2"]


_AGAINST = [
    "q Q0 a 1 1 s\nq Q0 b 2 2 s\nq Q0 c 3 2 s\n",
    "q Q0 a 1 1 s\nq Q0 b 2 2 s\np Q0 a 2 9 s\np Q0 b 1 8 s\nr Q0 a 1 9 s\nr Q0 b 2 8 s\n",
    "q Q0 b 2 2 s\nq Q0 c 3 3 s\nq Q0 a 1 1 s\n",
    "q Q0 a 2 9 s\nq Q0 b 1 8 s\n",
    "q Q0 a 1 1 s\np Q0 a 1 5 s\nq Q0 b 2 2 s\np Q0 b 2 6 s\n",
]


@pytest.mark.parametrize("lines", _AGAINST)
def test_ranks_that_contradict_the_direction_are_an_error(write, lines):
    with pytest.raises(ContradictedDirection, match="add --distance") as refused:
        read_run(write(lines))
    assert refused.value.other == "distance"


@pytest.mark.parametrize("lines", _AGAINST)
def test_with_distance_they_are_accepted_and_the_smallest_is_best(write, lines):
    scores = read_run(write(lines), "distance").results.filter(pl.col("query") == "q")["score"]
    assert scores.is_sorted()


def test_a_run_of_similarities_read_as_distances_is_an_error(write):
    with pytest.raises(ContradictedDirection, match=r"greatest first in 1 of 1 query.*--sim"):
        read_run(write(RUN), "distance")


@pytest.mark.parametrize(
    "lines",
    [
        "q Q0 b 2 1 s\nq Q0 a 1 2 s\n",
        "q Q0 a 1 1 s\nq Q0 b 2 3 s\nq Q0 c 3 2 s\n",
        "q Q0 a 0 1 s\nq Q0 b 0 2 s\n",
        "q Q0 a - 1 s\nq Q0 b - 2 s\n",
        "q Q0 a 1 1 s\nq Q0 b 2 1 s\np Q0 a 1 5 s\n",
    ],
)
def test_ranks_that_do_not_contradict_are_accepted(write, lines):
    assert read_run(write(lines)).against_ranks == 0


def test_a_minority_of_contradictory_queries_is_counted(write):
    lines = "".join(f"{q} Q0 a 1 2 s\n{q} Q0 b 2 1 s\n" for q in "pr")
    assert read_run(write(lines + "q Q0 a 1 1 s\nq Q0 b 2 2 s\n")).against_ranks == 1


@pytest.mark.parametrize("scattered", [False, True])
@pytest.mark.parametrize("size", [1, 40, 100, 10_000])
def test_a_file_read_in_parts_equals_the_whole_file(write, monkeypatch, scattered, size):
    lines = [f"q{q} Q0 d{d} {d} {9 - d // 2} s" for q in range(5) for d in range(7)]
    if scattered:
        lines = lines[::2] + lines[1::2]
    path = write("\n".join(lines) + "\n")
    whole = read_run(path)
    monkeypatch.setattr(trec, "_BLOCK", size)
    again = read_run(path)
    assert again.results.equals(whole.results)
    assert again.results["line"].to_list() != list(range(35)) or not scattered


def test_an_error_in_a_later_part_states_its_line(write, monkeypatch):
    monkeypatch.setattr(trec, "_BLOCK", 30)
    lines = [f"q{q} Q0 a {q} 1 s" for q in range(9)]
    with pytest.raises(InputError, match=r":10: score is 'x'"):
        read_run(write("\n".join([*lines, "q9 Q0 a 1 x s"])))
    with pytest.raises(InputError, match=r":10: lists document 'a' of query 'q0' again"):
        read_run(write("\n".join([*lines, "q0 Q0 a 1 1 s"])))


def test_equal_scores_of_two_queries_are_not_a_tie(write):
    run = read_run(write("q Q0 a 1 5 s\np Q0 a 1 5 s\n"))
    assert not run.results["tied"].any()


@pytest.mark.parametrize(
    ("text", "finding"),
    [
        ("", "is empty"),
        ("\n \n", "is empty"),
        ("q1 Q0 a 1 0.9 s\nq1 Q0 b 2 0.5\n", r":2: has 5 fields; 6 are needed"),
        *(
            (f"q1 Q0 a 1 0.9 {tag}\nq1 Q0 b 2 0.7 x {tag}\nq1 Q0 m 3 0.5\n", r":2: has 7 fields")
            for tag in ("sys", "bm25", "m.5", "1")
        ),
        ("q1 Q0 a 1 0.9 m5\nq1 Q0 b 2 0.7 x m5\nq1 Q0 m 3 5\n", r":2: has 7 fields"),
        ("q1 Q0 a 1 s 0.9\n", r":1: score is 's'; a finite number is needed"),
        ("q1 Q0 a 1 nan s\n", r":1: score is nan"),
        ("q1 Q0 a 1 1 s\n\nq1 Q0 b 1 inf s\n", r":3: score is inf"),
        ("q1 Q0  1 0.9 s\n", r":1: has 5 fields; 6 are needed"),
        ("q1 Q0 a 1 0.9 s\nq1 Q0 b\0 2 0.5 s\n", r":2: contains a NUL byte"),
        (
            "q1 Q0 a 1 2 s\nq2 Q0 a 1 2 s\nq1 Q0 a 2 1 s\n",
            r":3: lists document 'a' of query 'q1' again \(first on line 1\)",
        ),
        (
            "q1 Q0 a 1 2 s\nq1 Q0 b 2 1 s\nq2 Q0 b 1 2 s\nq2 Q0 b 2 1 s\n",
            r":4: lists document 'b' of query 'q2' again \(first on line 3\)",
        ),
        ("q Q0 a 0.9 1 s\nq Q0 b 0.5 2 s\n", r":1: has rank 0.9, .* 'q' are .* swapped"),
        ("q Q0 a 7 0 s\nq Q0 b 0.5 1 s\n", r":2: has rank 0.5, "),
        (RUN + "p Q0 a 2e-1 2 s\np Q0 b -3.5 1 s\n", r":4: has rank 2e-1, .* 'p' are"),
    ],
)
def test_refuses_runs(write, text, finding):
    with pytest.raises(InputError, match=finding):
        read_run(write(text))


@pytest.mark.parametrize(
    "text",
    [
        "q Q0 a 0.9 1 s\nq Q0 b 0.5 0.5 s\n",
        "q Q0 a 0.9 1 s\nq Q0 b 0.5 1 s\n",
        "q Q0 a 0.9 1 s\nq Q0 b 0.5 3 s\n",
        "q Q0 a 1.0 2 s\nq Q0 b 2.0 1 s\n",
        "q Q0 a - 2 s\nq Q0 b nan 1 s\n",
        "q Q0 a 2 1 s\nq Q0 b 1 2 s\np Q0 a 0.5 7 s\n",
    ],
)
def test_unusual_ranks_are_accepted_if_scores_do_not_look_like_ranks(write, text):
    assert read_run(write(text)).results.height == text.count("\n")


@pytest.mark.parametrize(
    ("text", "finding"),
    [
        ("q 0 a 1\nq 0 b x\n", r":2: relevance is 'x'; an integer is needed"),
        ("q 0 a 1\nq 0 b 0.5\n", r":2: relevance is '0.5'"),
        ("q 0 a 1\nq 0 a 0\n", r":2: lists document 'a' of query 'q' again"),
        (RUN, r":1: has 6 fields; 4 are needed: query iteration document relevance"),
    ],
)
def test_refuses_qrels(write, text, finding):
    with pytest.raises(InputError, match=finding):
        read_qrels(write(text))


def test_missing_files_and_files_that_are_not_text_are_errors(tmp_path):
    with pytest.raises(InputError, match="cannot be read"):
        read_run(tmp_path / "nothing.txt")
    broken = tmp_path / "run.gz"
    broken.write_bytes(gzip.compress(RUN.encode())[:-9])
    with pytest.raises(InputError, match="not a complete gzip file"):
        read_run(broken)
    latin = tmp_path / "latin.txt"
    latin.write_bytes("q Q0 é 1 1 s\n".encode("latin-1"))
    with pytest.raises(InputError, match=r"latin.txt:1: is not UTF-8"):
        read_run(latin)


def test_distinguishes_a_run_from_a_table(write):
    assert looks_like_run(write(RUN))
    assert not looks_like_run(write("query_id,stimulus_id,score\nq,a,1\n"))
