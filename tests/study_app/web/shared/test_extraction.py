"""What `pybabel extract` reads for the catalogue of researchers."""

import ast
import tomllib
from io import BytesIO

from babel.util import pathmatch

from study_app.web.shared.extraction import REFUSALS, of_researchers
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


def test_wordings_and_refusals_are_read_beside_the_texts_of_pages():
    read = [(name, texts) for _, name, texts, _ in of_researchers(BytesIO(MODULE), (), (), {})]
    assert sorted(read, key=str) == [
        ("rgettext", "a notice"),
        ("rgettext", ("is %(this)s",)),
        ("rgettext", ("is cut off",)),
        ("rngettext", ("one", "several")),
    ]


def test_no_refusal_is_put_together_from_pieces():
    pieces = [
        f"{name}:{call.lineno}"
        for name in _modules()
        for call in _refusals((PROJECT / name).read_text(encoding="utf-8"))
        if any(isinstance(arg, ast.JoinedStr) for arg in call.args)
    ]
    assert pieces == [], "give it places: docs/how-to/translating.md"


def _modules():
    settings = tomllib.loads((FOLDER / "researchers.toml").read_text(encoding="utf-8"))
    (patterns,) = (one["pattern"] for one in settings["mappings"] if ":" in one["method"])
    for pattern in patterns:
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
