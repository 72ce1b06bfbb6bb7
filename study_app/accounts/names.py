"""Names of accounts: the same as typed, and none that people would take for another."""

import unicodedata
from collections.abc import Iterable

from fontTools.unicodedata import script_extension, script_name

# Zero-width non-joiner and joiner, part of names in Persian and in scripts of India.
JOINERS = "\u200c\u200d"
# Characters of every script: spaces, digits, accents.
EVERYWHERE = {"Zyyy", "Zinh"}
# Scripts that are written together (Unicode Technical Standard 39, "highly restrictive").
TOGETHER = (
    {"Latn", "Hani", "Hira", "Kana"},
    {"Latn", "Hani", "Bopo"},
    {"Latn", "Hani", "Hang"},
)
# Small Cyrillic and Greek letters that look like Latin ones, themselves or as capitals.
_AS_LATIN = str.maketrans(
    "авекмнорстухіјѕԁһԛԝӏαβεζηικμνορτυχ", "abekmhopctyxijsdhqwlabezhikmnoptyx"
)


def plain(name: str) -> str:
    """A name with single spaces, and without invisible characters that writing does not need."""
    kept = (c for c in name if c in JOINERS or unicodedata.category(c) != "Cf")
    return " ".join("".join(kept).split())


def alike(name: str) -> str:
    """What is the same for names that people would take for each other."""
    visible = "".join(
        c
        for c in unicodedata.normalize("NFKC", name).casefold()
        if unicodedata.category(c) not in ("Cf", "Zs")
    )
    return visible.translate(_AS_LATIN)


def mixed_scripts(name: str) -> list[str]:
    """The scripts of a name that nobody writes together, such as Latin and Cyrillic; else empty.

    Letters of several scripts look the same: with one of another script, a name would look like
    somebody else's.
    """
    found = [script_extension(c) for c in unicodedata.normalize("NFKC", name)]
    found = [scripts for scripts in found if not scripts & EVERYWHERE]
    single = set().union(*found)
    if any(all(scripts & together for scripts in found) for together in _allowed(single)):
        return []
    return sorted({script_name(min(scripts)) for scripts in found})


def _allowed(scripts: Iterable[str]) -> list[set[str]]:
    return [*({script} for script in scripts), *TOGETHER]
