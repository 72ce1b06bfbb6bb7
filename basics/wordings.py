"""Texts that are made before their reader is known: refusals of files, reports of jobs."""

import json
from typing import Any, Self


class Wording(str):
    """A text in English that can still be translated.

    `str()` of it, and of an error made of it, is the wording itself.

    Parameters
    ----------
    text : str
        A literal, which `pybabel extract` finds, with places such as `%(name)s`.
    many : str, optional
        The plural; then `number` chooses between the two.
    number : int
    **values
        Values of the places: numbers, texts and wordings.

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
        """Written out in English."""
        english = text if many is None or number == 1 else many
        places = values if many is None else {"num": number, **values}
        new = super().__new__(cls, english % places if places else english)
        new.text, new.many, new.number, new.values = text, many, number, values
        return new

    def __str__(self) -> str:
        return self


def packed(text: str) -> str:
    """A text for storage, from which `unpacked` makes the same wording again."""
    if not isinstance(text, Wording):
        if not text.startswith("["):
            return text
        text = Wording("%(text)s", text=text)
    return json.dumps(_as_list(text), ensure_ascii=False)


def unpacked(stored: str) -> str:
    """The text that was stored by `packed`; texts of earlier versions are as they were."""
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
