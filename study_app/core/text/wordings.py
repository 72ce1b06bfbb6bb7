"""Translation of texts that were made before their reader was known."""

from flask_babel import gettext, ngettext

from basics.wordings import Wording, unpacked


def worded(text: str) -> str:
    """A wording, stored or not, or a marked text without values, in the language of the request."""
    text = unpacked(text)
    if not isinstance(text, Wording):
        return str(gettext(text)) if text else ""
    values = {
        name: worded(value) if isinstance(value, Wording) else value
        for name, value in text.values.items()
    }
    if text.many is None:
        return str(gettext(text.text, **values)) if text else ""
    return str(ngettext(text.text, text.many, text.number, **values))
