"""Every command with every degenerate input: a documented value, or an error that names the file.

Malformed files (empty, repeated ids, NaN, infinite, swapped columns) are tested for every file of
every command in `test_malformed_files`. Here the files are well-formed, but their content is
degenerate.
"""

import csv
import json
import re

import pytest

from study_app.cli import main
from tests.analysis.commands import degenerate_judgments, degenerate_results

pytestmark = pytest.mark.slow

CASES = (
    "one item",
    "all tied",
    "all relevant",
    "none relevant",
    "missing queries",
    "wrong pool",
    "huge numbers",
)
VERBS = degenerate_judgments.VERBS | degenerate_results.VERBS


def _run(folder, arguments, files):
    for name, text in files.items():
        if text is not None:
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_text(text)
    given = [re.sub(r"\{(.*)\}", lambda found: str(folder / found[1]), a) for a in arguments]
    with pytest.raises(SystemExit) as left:
        main([*given, "--out", str(folder / "out")])
    return left.value.code


def _written(out, where):
    """A value in the first row of a table (`systems.csv f`), or in a record (`bcubed.f`)."""
    table, _, column = where.rpartition(" ")
    if table:
        with (out / table).open(encoding="utf-8", newline="") as file:
            cell = next(csv.DictReader(file))[column]
        return float(cell) if cell else None
    (record,) = (path for path in out.glob("*.json"))
    value = json.loads(record.read_text(encoding="utf-8"))
    for key in column.split("."):
        value = value[key]
    return value


def _cases():
    for verb, (_, _, cases) in VERBS.items():
        for case, wanted in cases.items():
            if not isinstance(wanted, str):
                yield verb, case


def test_every_command_has_every_case():
    for verb, (_, _, cases) in VERBS.items():
        assert tuple(cases) == CASES, verb


@pytest.mark.parametrize(("verb", "case"), list(_cases()))
def test_a_degenerate_file_has_a_documented_value_or_an_error(verb, case, tmp_path, capsys):
    arguments, files, cases = VERBS[verb]
    others, expected = cases[case]
    code = _run(tmp_path, arguments, files | others)
    printed = capsys.readouterr()
    if isinstance(expected, str):
        assert code == 1, printed
        assert printed.err.startswith("sketch-study: ") and printed.err.count("\n") == 1
        assert expected in printed.err
        assert not (tmp_path / "out").exists()
        return
    assert code == 0, printed.err
    for where, value in expected.items():
        if where == "says":
            assert value in printed.out + printed.err
        else:
            assert _written(tmp_path / "out", where) == (
                None if value is None else pytest.approx(value)
            ), where
    assert "nan" not in printed.out
