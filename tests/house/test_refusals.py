"""What is said about wrong usage of commands is in sentences, before where their options are
explained."""

import ast

import pytest

from tests.conftest import PROJECT
from tests.house.sources import statements

PACKAGES = ("analysis", "basics", "printables", "study_app")


def _said(package):
    """The literal texts of wrong usage, with braces for values, by place."""
    for path in sorted((PROJECT / package).rglob("*.py")):
        for raised in statements(path):
            if not isinstance(raised, ast.Raise) or not isinstance(raised.exc, ast.Call):
                continue
            if ast.unparse(raised.exc.func).rpartition(".")[2] in ("UsageError", "BadParameter"):
                (text,) = raised.exc.args[:1]
                parts = text.values if isinstance(text, ast.JoinedStr) else [text]
                said = "".join(p.value if isinstance(p, ast.Constant) else "{}" for p in parts)
                yield f"{path.relative_to(PROJECT)}:{raised.lineno}", said


@pytest.mark.parametrize("package", PACKAGES)
def test_wrong_usage_is_said_in_sentences(package):
    wrong = {
        place: said
        for place, said in _said(package)
        if not (said[:1].isupper() or said.startswith("--")) or not said.endswith(".")
    }
    assert wrong == {}, "begin with a capital or an option, and end with a full stop"
