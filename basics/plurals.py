"""Numbers with their nouns in sentences."""


def counted(number: int, one: str, many: str = "") -> str:
    """Format a number with its noun in the singular or plural.

    Parameters
    ----------
    number : int
    one : str
        The singular.
    many : str, optional
        The plural; by default `one` with an s.

    Returns
    -------
    str
        With a comma as thousands separator.

    Examples
    --------
    >>> counted(1, "participant"), counted(1200, "query", "queries")
    ('1 participant', '1,200 queries')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"
