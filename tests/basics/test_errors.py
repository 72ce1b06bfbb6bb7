"""Refusals: their message, and renaming the file they are about."""

import ast
import pickle
from pathlib import Path

import pytest

from basics.errors import Refusal
from tests.conftest import PROJECT


@pytest.mark.parametrize(
    ("refusal", "message"),
    [
        (Refusal("is empty"), "is empty"),
        (Refusal("is empty", Path("a.csv")), "a.csv: is empty"),
        (Refusal("is empty", "a.csv", 3), "a.csv:3: is empty"),
        (Refusal("is empty", "/tmp/x", 3).in_file("mine.csv"), "mine.csv:3: is empty"),
        (Refusal("is empty").in_file("mine.csv"), "mine.csv: is empty"),
    ],
)
def test_the_place_comes_first(refusal, message):
    assert str(refusal) == message
    assert str(pickle.loads(pickle.dumps(refusal))) == message


def refused(call):
    """Whether a call makes a refusal whose message begins with a value."""
    named = isinstance(call.func, ast.Name) and call.func.id in ("InputError", "PaperError")
    return named and len(call.args) == 1 and isinstance(call.args[0], ast.JoinedStr)


def test_readers_of_files_pass_the_file_separately():
    """The file could not be renamed in a message that begins with a path."""
    readers = [*PROJECT.glob("analysis/files/**/*.py"), *PROJECT.glob("printables/reading/*.py")]
    wrong = []
    for path in readers:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and refused(node):
                first = node.args[0].values[0]
                if isinstance(first, ast.FormattedValue) and ast.unparse(first).find("path") >= 0:
                    wrong.append(f"{path.relative_to(PROJECT)}:{node.lineno}")
    assert readers and not wrong
