"""Extraction of the texts in Python that only researchers read; used by `pybabel extract`.

The packages that know no translation mark theirs too: what they refuse, and each `Wording`.
"""

import ast
from collections.abc import Collection, Iterator
from io import BytesIO
from typing import IO, Any

from babel.messages.extract import extract_python

KEYWORDS = ("rcounted", "rgettext", "rngettext", "rtranslatable")
REFUSALS = ("InputError", "OutputError", "PaperError", "Refusal", "_Refused")


def of_researchers(
    file: IO[bytes],
    _keywords: Collection[str],
    comment_tags: Collection[str],
    options: Any,
) -> Iterator[tuple[Any, ...]]:
    """As Babel's own for Python, without the texts of participants."""
    source = file.read()
    yield from extract_python(BytesIO(source), dict.fromkeys(KEYWORDS), comment_tags, options)
    for call in ast.walk(ast.parse(source)):
        if isinstance(call, ast.Call) and (texts := _texts_of(call)):
            yield call.lineno, "rngettext" if len(texts) > 1 else "rgettext", texts, []


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
