"""Names of systems: the name of their file or folder, without extensions."""

from collections.abc import Sequence
from pathlib import Path

from analysis.errors import InputError
from basics.wordings import Wording

_ENDINGS = {".gz", ".csv", ".txt", ".run", ".trec", ".res", ".results", ".npz"}


def system_name(path: str | Path) -> str:
    """Name of a system from its file or folder; ``hog`` for ``runs/hog.txt.gz``.

    Examples
    --------
    >>> system_name("runs/hog.txt.gz"), system_name("results/sift"), system_name("v1.2.csv")
    ('hog', 'sift', 'v1.2')
    """
    name = Path(path).resolve().name if Path(path).name in ("", ".", "..") else Path(path).name
    while Path(name).suffix.lower() in _ENDINGS and Path(name).stem:
        name = Path(name).stem
    return name


def system_names(paths: Sequence[str | Path], labels: Sequence[str] = ()) -> list[str]:
    """Names of several systems.

    Parameters
    ----------
    paths : sequence of paths
    labels : sequence of str
        ``NAME=LABEL`` to replace a system's name by a label. NAME can also be the path, if files
        have the same name.

    Raises
    ------
    InputError
        If two systems have the same name, or a label is malformed or matches no system.
    """
    names: dict[str, str | Path] = {}
    chosen = _chosen(labels)
    known = [str(path) if str(path) in chosen else system_name(path) for path in paths]
    for path, name in zip(paths, relabelled(known, labels), strict=True):
        if name in names:
            raise InputError(
                Wording(
                    "would be named %(name)s, like %(other)s; rename one of the two, such as by "
                    "--name %(path)s=LABEL",
                    name=repr(name),
                    other=names[name],
                    path=path,
                ),
                path,
            )
        names[name] = path
    return list(names)


def relabelled(names: Sequence[str], labels: Sequence[str]) -> list[str]:
    """Replace names by labels, as for `system_names`.

    Examples
    --------
    >>> relabelled(["hog", "sift"], ["hog=HOG (8 bins)"])
    ['HOG (8 bins)', 'sift']
    """
    chosen = _chosen(labels)
    for name in chosen.keys() - set(names):
        raise InputError(
            Wording(
                "--name %(name)s=%(label)s: the systems are %(names)s",
                name=name,
                label=chosen[name],
                names=", ".join(names),
            )
        )
    return [chosen.get(name, name) for name in names]


def _chosen(labels: Sequence[str]) -> dict[str, str]:
    chosen: dict[str, str] = {}
    for label in labels:
        name, sign, called = label.partition("=")
        if not (name and sign and called.strip()) or name in chosen:
            raise InputError(
                Wording(
                    "--name %(label)s: should be SYSTEM=LABEL, at most once per system", label=label
                )
            )
        chosen[name] = called.strip()
    return chosen
