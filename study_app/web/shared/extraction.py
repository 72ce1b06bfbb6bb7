"""Extraction of texts in Python; used by `pybabel extract`.

The packages that know no translation mark theirs too: what they refuse, and each `Wording`. Those
that a conductor or participant meets are in the catalogue of participants.
"""

import ast
from collections.abc import Collection, Iterator
from io import BytesIO
from typing import IO, Any

from babel.messages.extract import extract_python

KEYWORDS = ("rcounted", "rgettext", "rngettext", "rtranslatable")
REFUSALS = ("InputError", "OutputError", "PaperError", "Refusal", "_Refused")

Found = Iterator[tuple[Any, ...]]


def of_researchers(
    file: IO[bytes],
    _keywords: Collection[str],
    comment_tags: Collection[str],
    options: Any,
) -> Found:
    """As Babel's own for Python, without the texts of participants."""
    source = file.read()
    yield from extract_python(BytesIO(source), dict.fromkeys(KEYWORDS), comment_tags, options)
    yield from _of_wordings(source, "rgettext", "rngettext")


def of_wordings(
    file: IO[bytes], _keywords: Collection[str], _comment_tags: Collection[str], options: Any
) -> Found:
    """Refusals and wordings of packages that know no translation."""
    yield from _of_wordings(file.read(), "gettext", "ngettext")


def _of_wordings(source: bytes, alone: str, with_number: str) -> Found:
    for call in ast.walk(ast.parse(source)):
        if isinstance(call, ast.Call) and (texts := _texts_of(call)):
            yield call.lineno, with_number if len(texts) > 1 else alone, texts, []


def _texts_of(call: ast.Call) -> tuple[str, ...]:
    """The text of a refusal, or the singular and the plural of a wording."""
    name = call.func.id if isinstance(call.func, ast.Name) else ""
    if name != "Wording" and name not in REFUSALS:
        return ()
    texts: list[str] = []
    for arg in call.args:
        if not isinstance(arg, ast.Constant) or not isinstance(arg.value, str):
            break
        texts.append(arg.value)
    return tuple(texts if name == "Wording" else texts[:1])
