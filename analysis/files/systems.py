"""What a system is called: the name of its file or folder without its endings."""

from collections.abc import Sequence
from pathlib import Path

from analysis.errors import InputError

_ENDINGS = {".gz", ".csv", ".txt", ".run", ".trec", ".res", ".results", ".npz"}


def system_name(path: str | Path) -> str:
    """Name a system after its file or folder; ``runs/hog.txt.gz`` is ``hog``.

    Examples
    --------
    >>> system_name("runs/hog.txt.gz"), system_name("results/sift"), system_name("v1.2.csv")
    ('hog', 'sift', 'v1.2')
    """
    name = Path(path).resolve().name if Path(path).name in ("", ".", "..") else Path(path).name
    while Path(name).suffix.lower() in _ENDINGS and Path(name).stem:
        name = Path(name).stem
    return name


def system_names(paths: Sequence[str | Path]) -> list[str]:
    """Name several systems.

    Raises
    ------
    InputError
        If two would bear one name.
    """
    names: dict[str, str | Path] = {}
    for path in paths:
        name = system_name(path)
        if name in names:
            raise InputError(
                f"would be called {name!r}, as {names[name]} is; rename one of the two", path
            )
        names[name] = path
    return list(names)
