"""Paper sizes, by name or in millimetres."""

from basics.wordings import Wording
from printables.errors import PaperError

PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
LARGEST_PAPER_MM = 1200.0


def paper_size(name: str) -> tuple[float, float]:
    """Parse a paper size.

    Parameters
    ----------
    name : str
        "a4", "letter", or a size in millimetres such as "210x297".

    Returns
    -------
    (float, float)
        Width and height, millimetres.

    Raises
    ------
    PaperError
        If it is not a paper size, or a side is longer than 1,200 mm.
    """
    if name.lower() in PAPERS:
        return PAPERS[name.lower()]
    try:
        width, height = (float(mm) for mm in name.lower().replace("×", "x").split("x"))
    except ValueError:
        width = height = 0.0
    if not (0 < width <= LARGEST_PAPER_MM and 0 < height <= LARGEST_PAPER_MM):
        raise PaperError(
            Wording(
                "%(name)s is not a paper size: give a4, letter or e.g. 210x297",
                name=repr(name[:40]),
            )
        )
    return width, height
