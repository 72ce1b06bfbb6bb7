"""The texts that `pybabel extract` finds beside the marked texts of pages."""

import ast
import tomllib
from io import BytesIO

from babel.util import pathmatch

from study_app.web.shared.extraction import REFUSALS, of_researchers, of_wordings
from study_app.web.shared.languages import FOLDER
from tests.conftest import PROJECT

MODULE = b"""
rgettext("a notice")
gettext("of participants")
raise PaperError("is " "cut off", name)
raise InputError(Wording("is %(this)s", this="that"), path, 1)
Wording("one", "several", number, of=",")
Wording(given)
"""


def test_wordings_and_refusals_are_extracted_like_page_texts():
    read = [(name, texts) for _, name, texts, _ in of_researchers(BytesIO(MODULE), (), (), {})]
    assert sorted(read, key=str) == [
        ("rgettext", "a notice"),
        ("rgettext", ("is %(this)s",)),
        ("rgettext", ("is cut off",)),
        ("rngettext", ("one", "several")),
    ]


def test_texts_for_conductors_are_in_the_participants_catalogue():
    read = [(name, texts) for _, name, texts, _ in of_wordings(BytesIO(MODULE), (), (), {})]
    assert sorted(read, key=str) == [
        ("gettext", ("is %(this)s",)),
        ("gettext", ("is cut off",)),
        ("ngettext", ("one", "several")),
    ]


def test_no_refusal_is_concatenated():
    pieces = [
        f"{name}:{call.lineno}"
        for name in _modules()
        for call in _refusals((PROJECT / name).read_text(encoding="utf-8"))
        if any(isinstance(arg, ast.JoinedStr) for arg in call.args)
    ]
    assert pieces == [], "give it places: docs/how-to/translating.md"


def _modules():
    read = tomllib.loads((FOLDER / "researchers.toml").read_text(encoding="utf-8"))["mappings"]
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
    read += project["tool"]["babel"]["mappings"]
    for pattern in [pattern for one in read if ":" in one["method"] for pattern in one["pattern"]]:
        package = pattern.partition("/")[0]
        names = [p.relative_to(PROJECT).as_posix() for p in (PROJECT / package).rglob("*.py")]
        found = [name for name in names if pathmatch(pattern, name)]
        assert found, f"{pattern} matches no file"
        yield from found


def _refusals(source):
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            if name in (*REFUSALS, "Wording", "error"):
                yield node
