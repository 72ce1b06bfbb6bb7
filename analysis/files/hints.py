"""Likely causes when the names in one file do not match those in another."""

from collections.abc import Collection, Iterable
from pathlib import PurePosixPath

from basics.wordings import Wording

_ENDINGS = {".png", ".jpg", ".jpeg", ".webp", ".gif", ".svg", ".tif", ".tiff", ".bmp"}
_ENDINGS |= {".off", ".obj", ".txt", ".npy"}


def hint(wanted: Iterable[str], given: Collection[str], elsewhere: Collection[str] = ()) -> str:
    """Suggest why names were not found in a file.

    Parameters
    ----------
    wanted : iterable of str
        Names that are missing.
    given : collection of str
        Names found in the file.
    elsewhere : collection of str
        Names in another column of the file.

    Returns
    -------
    str
        The cause and what to do; empty if unknown.

    Examples
    --------
    >>> hint(["cat", "dog"], {"cat.png", "dog.png"})
    "its names end in .png, such as 'cat.png'; remove the extension"
    >>> hint(["cat"], {"Cat"})
    "its names differ in case, such as 'Cat' for 'cat'; use the same case"
    >>> hint(["cat"], {"1", "2"}, {"cat", "dog"})
    'its columns are swapped: these names are in another column'
    """
    names = list(dict.fromkeys(wanted))
    if any(name in elsewhere for name in names):
        return Wording("its columns are swapped: these names are in another column")
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
                "its names end in %(ending)s, such as %(name)s; remove the extension",
                ending=ending,
                name=repr(name),
            )
    longer = {_bare(name): name for name in names if _bare(name) != name}
    lower = {name.casefold(): name for name in names}
    for name in found:
        if name in longer:
            return Wording(
                "its names have no extension, such as %(name)s for %(other)s; add it",
                name=repr(name),
                other=repr(longer[name]),
            )
        if name not in known and name.casefold() in lower:
            other = lower[name.casefold()]
            return Wording(
                "its names differ in case, such as %(name)s for %(other)s; use the same case",
                name=repr(name),
                other=repr(other),
            )
    return ""


def _bare(name: str) -> str:
    """A name without folders and without the extension of a picture or 3D model."""
    path = PurePosixPath(name)
    return path.stem if path.suffix.lower() in _ENDINGS else path.name
