"""Number formats, the same on pages, in figures, in tables and in the terminal."""

from math import isnan

# Shorter times count as this.
SHORTEST_MINUTES = 1


def statistic(value: float | None, digits: int = 2) -> str:
    """Format a coefficient, share or score without a leading zero.

    Parameters
    ----------
    value : float or None
    digits : int
        Decimal places.

    Returns
    -------
    str
        With a minus sign, not a hyphen; – if it is undefined (NaN or None).

    Examples
    --------
    >>> statistic(0.454), statistic(-0.1), statistic(1), statistic(-0.004), statistic(float("nan"))
    ('.45', '−.10', '1.00', '.00', '–')
    """
    if value is None or isnan(value):
        return "–"
    text = f"{abs(value):.{digits}f}"
    if text.startswith("0."):
        text = text[1:]
    return f"−{text}" if value < 0 and text.strip(".0") else text


def score(value: float | None, digits: int = 2) -> str:
    """Format a number that can be well above 1, such as a mean on a seven-point scale.

    Examples
    --------
    >>> score(3.456), score(0.5), score(-1.2), score(float("nan"))
    ('3.46', '0.50', '−1.20', '–')
    """
    if value is None or isnan(value):
        return "–"
    return f"{value:.{digits}f}".replace("-", "−")


def tick(value: float) -> str:
    """Format a number at an axis with as many decimal places as it needs.

    Examples
    --------
    >>> tick(0.5), tick(-0.25), tick(1.0), tick(-2)
    ('.5', '−.25', '1', '−2')
    """
    digits = len(f"{value:.6f}".rstrip("0").partition(".")[2])
    return statistic(value, digits) if digits else score(value, 0)


def interval(low: float | None, high: float | None, digits: int = 2) -> str:
    """Format the bounds of an interval; empty if they are undefined (NaN or None).

    Examples
    --------
    >>> interval(0.38, 0.52), interval(float("nan"), float("nan"))
    ('[.38, .52]', '')
    """
    if low is None or high is None or isnan(low) or isnan(high):
        return ""
    return f"[{statistic(low, digits)}, {statistic(high, digits)}]"


def p_value(p: float) -> str:
    """Format the p value of a test for a cell of a table.

    Examples
    --------
    >>> p_value(0.0004), p_value(0.0312), p_value(0.9996), p_value(float("nan"))
    ('< .001', '.031', '> .999', '–')
    """
    if p < 0.001:
        return "< .001"
    return "> .999" if p > 0.999 else statistic(p, 3)


def probability(p: float) -> str:
    """Format the p value of a test with its relation, to follow the letter p.

    Examples
    --------
    >>> probability(0.0004), probability(0.0312), probability(float("nan"))
    ('< .001', '= .031', 'undefined')
    """
    if isnan(p):
        return "undefined"
    cell = p_value(p)
    return cell if cell[0] in "<>" else f"= {cell}"


def whole_minutes(minutes: float | None) -> int | None:
    """Round a time that somebody took, at least to 1; None if undefined (NaN or None).

    Examples
    --------
    >>> whole_minutes(0.2), whole_minutes(12.6), whole_minutes(float("nan"))
    (1, 13, None)
    """
    if minutes is None or isnan(minutes):
        return None
    return max(round(minutes), SHORTEST_MINUTES)
