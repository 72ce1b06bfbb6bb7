"""Table for a paper: systems by score, for the terminal and in LaTeX."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from analysis.reports.letters import compact_letters
from basics.plurals import counted

SIGNIFICANT = 0.05
_WIDTH = 345
"""Text width of a LaTeX article, in points."""
_SIZES = (("", 6, 5.0), (r"\small", 4, 4.6), (r"\footnotesize", 3, 4.2), (r"\scriptsize", 2, 3.8))
"""Font sizes: the command, the padding of columns and the mean letter width, in points."""
_ONE_LINE = 6
LETTERS = "Systems that share a letter do not differ significantly (Holm-corrected p < .05)."
_SPECIAL = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "[": "{[}",  # after a line break, it would start an option
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "−": "$-$",
    "<": "$<$",
    ">": "$>$",
    "|": r"\textbar{}",
}


@dataclass(frozen=True)
class PaperTable:
    """Systems by score.

    Attributes
    ----------
    columns : sequence of str
        Headers; the first column is the system. The column "letters" is left out if it is empty.
    rows : sequence of sequences of str
        Best first.
    notes : sequence of str
        n, the meaning of intervals and letters, the human ceiling.
    """

    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    notes: Sequence[str] = field(default_factory=tuple)

    def text(self) -> str:
        """The table for the terminal: columns aligned, notes below."""
        cells = self._cells()
        widths = [max(len(row[k]) for row in cells) for k in range(len(cells[0]))]
        lines = [
            "  ".join(
                cell.ljust(width) if k == 0 else cell.rjust(width)
                for k, (cell, width) in enumerate(zip(row, widths, strict=True))
            ).rstrip()
            for row in cells
        ]
        return "\n".join([*lines, *map(str.strip, self.notes)])

    def latex(self) -> str:
        """The table as a LaTeX tabular for the package booktabs, within an article's text width."""
        columns, *cells = self._cells()
        names = [line for line in zip(*map(_two_lines, columns), strict=True) if any(line)]
        places = "@{}l" + "r" * (len(columns) - 1) + "@{}"
        head = [
            r"% Needs \usepackage{booktabs}. Too wide? Shorten the systems' names with --name.",
            rf"{{{_size([*names, *cells])}\noindent\begin{{tabular}}{{{places}}}",
            r"\toprule",
        ]
        above, below = (
            [" & ".join(map(escaped, row)) + r" \\" for row in rows] for rows in (names, cells)
        )
        foot = [r"\bottomrule", r"\end{tabular}}"]
        notes = [
            rf"\par\smallskip{{\footnotesize\noindent {escaped(note.strip())}\par}}"
            for note in self.notes
        ]
        return "\n".join([*head, *above, r"\midrule", *below, *foot, *notes, ""])

    def _cells(self) -> list[list[str]]:
        """The header and the rows, without the column of letters if it is empty."""
        full = [
            k
            for k, column in enumerate(self.columns)
            if column != "letters" or any(row[k] for row in self.rows)
        ]
        return [[row[k] for k in full] for row in (self.columns, *self.rows)]

    def write(self, folder: Path) -> None:
        """Write the table to `systems.tex`."""
        (folder / "systems.tex").write_text(self.latex(), encoding="utf-8", newline="\n")


def _two_lines(head: str) -> tuple[str, str]:
    """Split a long header into two lines of similar length; a short one is the second line.

    Examples
    --------
    >>> _two_lines("tau_b with participants"), _two_lines("95 %")
    (('tau_b with', 'participants'), ('', '95 %'))
    """
    words = head.split()
    if len(head) <= _ONE_LINE or len(words) == 1:
        return "", head
    ways = [(" ".join(words[:k]), " ".join(words[k:])) for k in range(1, len(words))]
    return min(ways, key=lambda way: max(map(len, way)))


def _size(rows: Sequence[Sequence[str]]) -> str:
    """The LaTeX commands for the largest font size at which the rows fit an article's text."""
    letters = sum(max(map(len, column)) for column in zip(*rows, strict=True))
    gaps = 2 * (len(rows[0]) - 1)
    fitting = (one for one in _SIZES if letters * one[2] + gaps * one[1] <= _WIDTH)
    command, side, _ = next(fitting, _SIZES[-1])
    return rf"{command}\setlength{{\tabcolsep}}{{{side}pt}}" if command else ""


def by_score(names: Sequence[str], scores: Mapping[str, float]) -> list[str]:
    """Names by descending score; names with undefined scores last.

    Examples
    --------
    >>> by_score(["a", "b", "c"], {"a": 0.1, "b": float("nan"), "c": 0.3})
    ['c', 'a', 'b']
    """
    return sorted(names, key=lambda name: (scores[name] != scores[name], -scores[name], name))


def letters_of(names: Sequence[str], comparisons: Sequence[Sequence[Any]]) -> list[str]:
    """Letters of systems, from rows (first, second, difference, p, corrected p).

    Empty if there is only one system.
    """
    if len(names) < 2:
        return [""] * len(names)
    differing = [(str(row[0]), str(row[1])) for row in comparisons if float(row[4]) < SIGNIFICANT]
    return compact_letters(names, differing)


def letters_note(systems: int, paired: int, one: str, many: str = "") -> str:
    """Explain the letters, and warn if there are too few values for any significant difference.

    Parameters
    ----------
    systems : int
        Number of systems.
    paired : int
        Number of values in each comparison.
    one, many : str
        Noun for a value, such as ``query``, and its plural, as for `basics.plurals.counted`.

    Examples
    --------
    >>> letters_note(20, 10, "query", "queries").removeprefix(LETTERS)
    ' With 10 queries, none of the 190 differences can be significant.'
    >>> letters_note(20, 31, "query", "queries") == LETTERS
    True
    """
    if systems < 2:
        return ""
    comparisons = systems * (systems - 1) // 2
    if comparisons * 2.0 ** (1 - paired) < SIGNIFICANT:
        return LETTERS
    differences = f"none of the {comparisons} differences" if comparisons > 1 else "no difference"
    return f"{LETTERS} With {counted(paired, one, many)}, {differences} can be significant."


def escaped(text: str) -> str:
    """Escape a text for LaTeX.

    Examples
    --------
    >>> escaped("hog_8 & 5 %")
    'hog\\\\_8 \\\\& 5 \\\\%'
    """
    return "".join(_SPECIAL.get(sign, sign) for sign in text)
