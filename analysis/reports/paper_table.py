"""The table for a paper: systems by score, for the terminal and in LaTeX."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from analysis.reports.letters import compact_letters
from basics.plurals import counted

SIGNIFICANT = 0.05
_WIDTH = 345
"""Of an article's text, in points."""
_SIZES = (("", 6, 5.0), (r"\small", 4, 4.6), (r"\footnotesize", 3, 4.2), (r"\scriptsize", 2, 3.8))
"""Of letters: the command, the points on either side of a column, and those of a mean letter."""
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
    "[": "{[}",  # after a line break it would be an option
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
        The first is the system, the second its score.
    rows : sequence of sequences of str
        The best first.
    notes : sequence of str
        n, what intervals and letters are, human ceilings.

    Letters are left out of the table of one system.
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
        """The table as a LaTeX tabular for the package booktabs, as wide as an article's text."""
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
        """The header and the rows, without letters if no system has one."""
        full = [
            k
            for k, column in enumerate(self.columns)
            if column != "letters" or any(row[k] for row in self.rows)
        ]
        return [[row[k] for k in full] for row in (self.columns, *self.rows)]

    def write(self, folder: Path) -> None:
        """Write it as systems.tex."""
        (folder / "systems.tex").write_text(self.latex(), encoding="utf-8", newline="\n")


def _two_lines(head: str) -> tuple[str, str]:
    """A column's head in two lines of like length if it is long, otherwise in the second.

    Examples
    --------
    >>> _two_lines("tau_b to participants"), _two_lines("95 %")
    (('tau_b to', 'participants'), ('', '95 %'))
    """
    words = head.split()
    if len(head) <= _ONE_LINE or len(words) == 1:
        return "", head
    ways = [(" ".join(words[:k]), " ".join(words[k:])) for k in range(1, len(words))]
    return min(ways, key=lambda way: max(map(len, way)))


def _size(rows: Sequence[Sequence[str]]) -> str:
    """The LaTeX commands of the largest letters with which rows fit an article's text."""
    letters = sum(max(map(len, column)) for column in zip(*rows, strict=True))
    gaps = 2 * (len(rows[0]) - 1)
    fitting = (one for one in _SIZES if letters * one[2] + gaps * one[1] <= _WIDTH)
    command, side, _ = next(fitting, _SIZES[-1])
    return rf"{command}\setlength{{\tabcolsep}}{{{side}pt}}" if command else ""


def by_score(names: Sequence[str], scores: Mapping[str, float]) -> list[str]:
    """Return names by descending score, undefined ones last.

    Examples
    --------
    >>> by_score(["a", "b", "c"], {"a": 0.1, "b": float("nan"), "c": 0.3})
    ['c', 'a', 'b']
    """
    return sorted(names, key=lambda name: (scores[name] != scores[name], -scores[name], name))


def letters_of(names: Sequence[str], comparisons: Sequence[Sequence[object]]) -> list[str]:
    """Return the letters of systems from rows (first, second, difference, p, p corrected).

    A system alone has none.
    """
    if len(names) < 2:
        return [""] * len(names)
    differing = [(str(row[0]), str(row[1])) for row in comparisons if _number(row[4]) < SIGNIFICANT]
    return compact_letters(names, differing)


def letters_note(systems: int, paired: int, one: str, many: str = "") -> str:
    """Explain the letters, and say if there is too little data for any significant difference.

    Parameters
    ----------
    systems : int
    paired : int
        Values in each comparison.
    one, many : str
        Name of a value, such as ``query``, and its plural as for `basics.plurals.counted`.

    Examples
    --------
    >>> letters_note(20, 10, "query", "queries").removeprefix(LETTERS)
    ' With 10 queries none of 190 differences can be significant.'
    >>> letters_note(20, 31, "query", "queries") == LETTERS
    True
    """
    if systems < 2:
        return ""
    comparisons = systems * (systems - 1) // 2
    if comparisons * 2.0 ** (1 - paired) < SIGNIFICANT:
        return LETTERS
    differences = f"none of {comparisons} differences" if comparisons > 1 else "no difference"
    return f"{LETTERS} With {counted(paired, one, many)} {differences} can be significant."


def escaped(text: str) -> str:
    """Escape a text for LaTeX.

    Examples
    --------
    >>> escaped("hog_8 & 5 %")
    'hog\\\\_8 \\\\& 5 \\\\%'
    """
    return "".join(_SPECIAL.get(sign, sign) for sign in text)


def _number(value: object) -> float:
    return float(value)  # type: ignore[arg-type]
