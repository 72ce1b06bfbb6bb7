"""Numbers for readers, formatted alike in pages, figures, tables and the terminal."""

from math import isnan


def statistic(value: float, digits: int = 2) -> str:
    """Format a coefficient, share or score without a leading zero.

    Parameters
    ----------
    value : float
    digits : int
        Decimal places.

    Returns
    -------
    str
        With a minus sign, not a hyphen; – where it is undefined (NaN).

    Examples
    --------
    >>> statistic(0.454), statistic(-0.1), statistic(1), statistic(-0.004), statistic(float("nan"))
    ('.45', '−.10', '1.00', '.00', '–')
    """
    if isnan(value):
        return "–"
    text = f"{abs(value):.{digits}f}"
    if text.startswith("0."):
        text = text[1:]
    return f"−{text}" if value < 0 and text.strip(".0") else text


def score(value: float, digits: int = 2) -> str:
    """Format a number that can be well above 1, such as a mean on a seven-point scale.

    Examples
    --------
    >>> score(3.456), score(0.5), score(-1.2), score(float("nan"))
    ('3.46', '0.50', '−1.20', '–')
    """
    return "–" if isnan(value) else f"{value:.{digits}f}".replace("-", "−")


def interval(low: float, high: float, digits: int = 2) -> str:
    """Format the bounds of an interval; empty if they are undefined (NaN).

    Examples
    --------
    >>> interval(0.38, 0.52), interval(float("nan"), float("nan"))
    ('[.38, .52]', '')
    """
    if isnan(low) or isnan(high):
        return ""
    return f"[{statistic(low, digits)}, {statistic(high, digits)}]"


def probability(p: float) -> str:
    """Format the p value of a test, as it follows the letter p.

    Examples
    --------
    >>> probability(0.0004), probability(0.0312), probability(0.9996)
    ('< .001', '= .031', '> .999')
    """
    if isnan(p):
        return "undefined"
    if p < 0.001:
        return "< .001"
    return "> .999" if p > 0.999 else f"= {statistic(p, 3)}"
