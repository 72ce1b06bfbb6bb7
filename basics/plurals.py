"""Numbers in sentences."""


def counted(number: int, one: str, many: str = "") -> str:
    """Say how many of something there are, in the singular where there is one.

    Parameters
    ----------
    number : int
    one : str
        What one of them is called.
    many : str, optional
        What several are called; by default `one` with an s.

    Returns
    -------
    str
        With a comma between thousands.

    Examples
    --------
    >>> counted(1, "participant"), counted(1200, "query", "queries")
    ('1 participant', '1,200 queries')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"
