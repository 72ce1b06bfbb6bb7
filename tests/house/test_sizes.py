"""Sizes that signal a file, a function or a folder to split by meaning."""

import ast
from functools import cache
from pathlib import Path

import pytest

from tests.conftest import PROJECT
from tests.house.sources import statements

PACKAGES = ("analysis", "basics", "printables", "study_app")
LINES_OF_A_FILE, LINES_OF_A_FUNCTION, PARAMETERS = 350, 50, 6
# Files and folders side by side: about twelve are easy to survey.
ROOMS = 16
SCRIPTS = {".py", ".js", ".css", ".html"}
# A revision is one step of the database, however many columns it has.
NOT_READ = ("migrations/versions",)


def _files(*suffixes):
    for package in (*PACKAGES, "tests", "docs"):
        for path in sorted((PROJECT / package).rglob("*")):
            place = path.relative_to(PROJECT).as_posix()
            if path.suffix in suffixes and not any(part in place for part in NOT_READ):
                yield place, path


@cache
def _functions(path):
    functions = ast.FunctionDef | ast.AsyncFunctionDef
    return [node for node in statements(path) if isinstance(node, functions)]


def _length(function):
    """Lines of a function without its docstring, which may be as long as it needs."""
    lines = function.end_lineno - function.lineno + 1
    if ast.get_docstring(function):
        lines -= function.body[0].end_lineno - function.body[0].lineno + 1
    return lines


def test_no_file_is_too_long():
    lengths = {
        place: len(path.read_text(encoding="utf-8").splitlines())
        for place, path in _files(*SCRIPTS)
    }
    assert {p: n for p, n in lengths.items() if n > LINES_OF_A_FILE} == {}


def test_no_function_is_too_long():
    found = {
        f"{place}:{node.lineno} {node.name}": _length(node)
        for place, path in _files(".py")
        for node in _functions(path)
    }
    assert {f: n for f, n in found.items() if n > LINES_OF_A_FUNCTION} == {}


def test_no_function_has_too_many_parameters():
    found = {}
    for place, path in _files(".py"):
        # A test's and a fixture's parameters are what it asks for.
        for node in _functions(path) if not place.startswith("tests/") else ():
            given = [
                a.arg for a in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
            ]
            # A verb's parameters are its options.
            verb = any("command" in ast.unparse(mark) for mark in node.decorator_list)
            if not verb:
                found[f"{place}:{node.lineno} {node.name}"] = len({*given} - {"self", "cls"})
    assert {f: n for f, n in found.items() if n > PARAMETERS} == {}


def _rooms(folder):
    """Files and folders of code in a folder."""
    return {p.stem for p in folder.iterdir() if p.suffix == ".py" or (p / "__init__.py").is_file()}


@pytest.mark.parametrize("package", PACKAGES)
def test_no_folder_has_too_many_rooms(package):
    folders = {path.parent for path in (PROJECT / package).rglob("*.py")}
    counts = {
        str(folder): len(_rooms(folder) - {"__init__"})
        for folder in folders
        if folder.name != "versions"
    }
    assert {f: n for f, n in counts.items() if n > ROOMS} == {}


@pytest.mark.parametrize("package", [*PACKAGES, "tests"])
def test_every_folder_says_in_one_line_what_it_is_for(package):
    # Folders of tests that mirror a package are for the same things as its folders.
    found = (PROJECT / package).glob("*/*.py" if package == "tests" else "**/*.py")
    for folder in {path.parent for path in found}:
        if folder.name != "versions":
            docstring = ast.get_docstring(
                ast.parse(Path(folder / "__init__.py").read_text("utf-8"))
            )
            assert docstring and docstring.split("\n")[0].endswith((".", "?")), folder
