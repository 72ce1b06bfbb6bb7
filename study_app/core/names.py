"""Names as people give them: made clean, and put in the order that people expect."""

import re
import unicodedata

LONGEST = 200
# What steers a terminal or the direction of text, and what no file can carry.
_CONTROL = re.compile(
    "[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff]"
)


def clean_name(text: object, longest: int = LONGEST) -> str:
    """A name in composed Unicode without control characters, at most so long; never empty."""
    plain = unicodedata.normalize("NFC", _CONTROL.sub("", str(text)))
    return plain.strip()[:longest].strip() or "unnamed"


def natural(name: str) -> tuple[list[tuple[bool, int, str]], str]:
    """A key that sorts "2" before "10"."""
    parts = re.split(r"(\d+)", name.casefold())
    # A number of more digits than Python turns into one is no number that anybody ordered.
    return [
        (part.isdecimal(), int(part[:LONGEST]) if part.isdecimal() else 0, part) for part in parts
    ], name
