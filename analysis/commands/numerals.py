"""How a verb tells a number at the terminal."""

import math


def in_words(value: float, digits: int = 4) -> str:
    """Give some digits behind the point, or say that there is no number.

    Examples
    --------
    >>> in_words(0.5), in_words(float("nan"))
    ('0.5000', 'undefined')
    """
    return "undefined" if math.isnan(value) else f"{value:.{digits}f}"
