"""Likely causes if the names in one file do not match those in another."""

from collections.abc import Collection, Iterable
from pathlib import PurePosixPath

from basics.wordings import Wording

_ENDINGS = {".png", ".jpg", ".jpeg", ".webp", ".gif", ".svg", ".tif", ".tiff", ".bmp"}
_ENDINGS |= {".off", ".obj", ".txt", ".npy"}


def hint(wanted: Iterable[str], given: Collection[str], elsewhere: Collection[str] = ()) -> str:
    """Suggest why some names were not found among others.

    Parameters
    ----------
    wanted : iterable of str
        Names that are missing.
    given : collection of str
        Names in the file instead.
    elsewhere : collection of str
        Names in another column of the file.

    Returns
    -------
    str
        The cause and what to do, or an empty string.

    Examples
    --------
    >>> hint(["cat", "dog"], {"cat.png", "dog.png"})
    "its names end in .png, such as 'cat.png'; remove the ending"
    >>> hint(["cat"], {"Cat"})
    "its names differ in case, such as 'Cat' for 'cat'; make them equal"
    >>> hint(["cat"], {"1", "2"}, {"cat", "dog"})
    'its columns are swapped: another one holds these names'
    """
    names = list(dict.fromkeys(wanted))
    if any(name in elsewhere for name in names):
        return Wording("its columns are swapped: another one holds these names")
    known = set(names)
    found = sorted(given)
    for name in found:
        bare = _bare(name)
        if bare != name and bare in known:
            if "/" in name:
                return Wording(
                    "its names include folders, such as %(name)s; remove them", name=repr(name)
                )
            ending = PurePosixPath(name).suffix
            return Wording(
                "its names end in %(ending)s, such as %(name)s; remove the ending",
                ending=ending,
                name=repr(name),
            )
    longer = {_bare(name): name for name in names if _bare(name) != name}
    lower = {name.casefold(): name for name in names}
    for name in found:
        if name in longer:
            return Wording(
                "its names lack an ending, such as %(name)s for %(other)s; add it",
                name=repr(name),
                other=repr(longer[name]),
            )
        if name not in known and name.casefold() in lower:
            other = lower[name.casefold()]
            return Wording(
                "its names differ in case, such as %(name)s for %(other)s; make them equal",
                name=repr(name),
                other=repr(other),
            )
    return ""


def _bare(name: str) -> str:
    """A name without folders and without the extension of a picture or model."""
    path = PurePosixPath(name)
    return path.stem if path.suffix.lower() in _ENDINGS else path.name
