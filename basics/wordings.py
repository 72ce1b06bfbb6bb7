"""Texts that are translated later, when the reader's language is known: refusals, job reports."""

import json
from typing import Any, Self


class Wording(str):
    """An English text that can still be translated.

    It is a `str` that also has the message and its values. `str()` of it, and of an error that
    contains only it, is the wording itself.

    Parameters
    ----------
    text : str
        The message: a literal, which `pybabel extract` finds, with placeholders such as `%(name)s`.
    many : str, optional
        The plural message; `number` then chooses between the two.
    number : int
        Also the value of the placeholder `%(num)s` if there is a plural.
    **values
        Values of the placeholders: numbers, texts and wordings.

    Examples
    --------
    >>> Wording("is longer than %(most)s s", most=60)
    'is longer than 60 s'
    >>> Wording("has %(num)s field", "has %(num)s fields", 2)
    'has 2 fields'
    """

    text: str
    many: str | None
    number: int
    values: dict[str, Any]

    def __new__(cls, text: str, many: str | None = None, number: int = 1, /, **values: Any) -> Self:
        """Fill in the values, in English."""
        english = text if many is None or number == 1 else many
        places = values if many is None else {"num": number, **values}
        new = super().__new__(cls, english % places if places else english)
        new.text, new.many, new.number, new.values = text, many, number, values
        return new

    def __str__(self) -> str:
        return self


def packed(text: str) -> str:
    """Serialise a text for storage; `unpacked` restores the wording."""
    if not isinstance(text, Wording):
        if not text.startswith("["):
            return text
        text = Wording("%(text)s", text=text)
    return json.dumps(_as_list(text), ensure_ascii=False)


def unpacked(stored: str) -> str:
    """Restore a text stored by `packed`; texts stored by earlier versions are returned
    unchanged."""
    if isinstance(stored, Wording) or not stored.startswith('["'):
        return stored
    try:
        return _from_list(json.loads(stored))
    except (TypeError, ValueError):
        return stored


def _as_list(text: Wording) -> list[Any]:
    values = {name: _plain(value) for name, value in text.values.items()}
    return [text.text, text.many, int(text.number), values]


def _plain(value: Any) -> Any:
    if isinstance(value, Wording):
        return _as_list(value)
    return value if isinstance(value, (int, float)) else str(value)


def _from_list(stored: list[Any]) -> Wording:
    text, many, number, values = stored
    revived = {
        name: _from_list(value) if isinstance(value, list) else value
        for name, value in values.items()
    }
    return Wording(text, many, number, **revived)
