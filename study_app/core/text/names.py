"""Names: cleaned, and sorted in natural order."""

import re

from study_app.core.text.composing import composed

LONGEST = 200
# Control characters, text direction marks, and characters that files cannot contain.
_CONTROL = re.compile(
    "[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff]"
)


def clean_name(text: object, longest: int = LONGEST) -> str:
    """A name in composed Unicode without control characters, shortened if too long; never empty."""
    plain = composed(_CONTROL.sub("", str(text)))
    return plain.strip()[:longest].strip() or "unnamed"


def natural(name: str) -> tuple[list[tuple[bool, int, str]], str]:
    """A key that sorts "2" before "10"."""
    parts = re.split(r"(\d+)", name.casefold())
    # Very long digit strings exceed Python's limit for integers.
    return [
        (part.isdecimal(), int(part[:LONGEST]) if part.isdecimal() else 0, part) for part in parts
    ], name
