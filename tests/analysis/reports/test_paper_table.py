"""Tables for papers: letters for significant differences, and LaTeX that compiles."""

import re
import shutil
import subprocess
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.reports.letters import compact_letters
from analysis.reports.paper_table import (
    PaperTable,
    by_score,
    escaped,
    letters_note,
    letters_of,
)


def test_letters_by_hand():
    # T1 and T3 differ only from T7 and T8, so they share letters with T2 and with T4 to T6.
    pairs = [(1, 7), (1, 8), (2, 4), (2, 5), (2, 6), (2, 7), (2, 8), (3, 7), (3, 8), (4, 7)]
    pairs += [(4, 8), (5, 7), (5, 8), (6, 7), (6, 8)]
    names = [f"T{k}" for k in range(1, 9)]
    found = compact_letters(names, [(f"T{a}", f"T{b}") for a, b in pairs])
    assert found == ["ab", "a", "ab", "b", "b", "b", "c", "c"]


@given(st.integers(1, 8), st.data())
def test_two_systems_share_a_letter_if_and_only_if_they_do_not_differ(count, data):
    names = [f"s{k}" for k in range(count)]
    pairs = list(combinations(names, 2))
    differing = data.draw(st.sets(st.sampled_from(pairs))) if pairs else set()
    letters = dict(zip(names, compact_letters(names, sorted(differing)), strict=True))
    for pair in pairs:
        share = set(letters[pair[0]]) & set(letters[pair[1]])
        assert bool(share) == (pair not in differing)


def test_letters_use_corrected_p_values():
    rows = [["a", "b", 0.1, 0.01, 0.03], ["a", "c", 0.1, 0.02, 0.06], ["b", "c", 0.0, 0.9, 0.9]]
    assert letters_of(["a", "b", "c"], rows) == ["a", "b", "ab"]


def test_too_little_data_for_any_difference_is_noted():
    note = letters_note(2, 1, "query", "queries")
    assert note.endswith(" With 1 query, no difference can be significant.")


def test_the_table_is_sorted_aligned_and_escaped():
    assert by_score(["x", "y", "z"], {"x": 0.1, "y": float("nan"), "z": 0.2}) == ["z", "x", "y"]
    table = PaperTable(["system", "F"], [["a_b & c", "−.10"], ["[x]", ".50"]], ["n = 5 %"])
    assert table.text() == "system      F\na_b & c  −.10\n[x]       .50\nn = 5 %"
    latex = table.latex()
    assert r"a\_b \& c & $-$.10 \\" in latex
    assert r"{[}x] & .50 \\" in latex
    assert r"{\footnotesize\noindent n = 5 \%\par}" in latex
    assert escaped("\\{~^}") == r"\textbackslash{}\{\textasciitilde{}\textasciicircum{}\}"


def in_an_article(folder, table):
    """Output of pdflatex for the table in an article, in the text and as a float."""
    table.write(folder)
    (folder / "paper.tex").write_text(
        r"\documentclass{article}\usepackage{booktabs}\begin{document}\input{systems.tex}"
        r"\makeatletter\typeout{SIZE=\f@size}"
        r"\begin{table}\centering\input{systems.tex}\end{table}\end{document}"
    )
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper.tex"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout


@pytest.mark.skipif(not shutil.which("pdflatex"), reason="LaTeX is not installed")
def test_latex_prints_every_character_and_does_not_change_the_following_text(tmp_path):
    name = "\\&%$#_{}[]~^<>|'`\"é–"
    table = PaperTable(["system", "F"], [["a", "−.10"], [name, ".50"]], [name])
    assert re.search(r"SIZE=10\b", in_an_article(tmp_path, table))
    assert "Missing character" not in (tmp_path / "paper.log").read_text("latin-1")


RETRIEVAL = ["system", "AP", "95 %", "NN", "FT", "ST", "E", "DCG", "SHREC AP", "letters"]
CLUSTERING = [
    "system",
    "F",
    "95 %",
    "chance",
    "adjusted F",
    "ARI",
    "tau_b with participants",
    "95 %",
]


@pytest.mark.skipif(not shutil.which("pdflatex"), reason="LaTeX is not installed")
@pytest.mark.parametrize(
    ("columns", "row"),
    [
        (RETRIEVAL, ["1.000", "[1.000, 1.000]", *["1.000"] * 6, "abc"]),
        (CLUSTERING, [".82", "[−.73, .92]", ".40", "−.71", "−.66", "−.68", "[−.51, .86]"]),
        (["system", "tau_b", "95 %", "95 % joint"], ["−.06", "[−.18, .31]", "[−.18, .31]"]),
    ],
    ids=["retrieval", "clustering", "ranking"],
)
def test_the_table_fits_an_article(tmp_path, columns, row):
    rows = [["sketch_embedding_18", *row], ["hog", *row]]
    log = in_an_article(tmp_path, PaperTable(columns, rows, ["Mean over 31 queries."]))
    assert "Overfull" not in log


def test_a_single_system_has_no_letters():
    alone = PaperTable(["system", "F", "letters"], [["hog", ".52", *letters_of(["hog"], [])]])
    assert alone.text().split() == ["system", "F", "hog", ".52"]
    assert "letters" not in alone.latex() and "{@{}lr@{}}" in alone.latex()
    assert letters_note(1, 31, "query", "queries") == ""
