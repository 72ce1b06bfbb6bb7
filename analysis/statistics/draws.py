"""Random draws: how many there may be, and how many are made at a time."""

from collections.abc import Iterator

from analysis.errors import InputError

_NUMBERS_AT_ONCE = 1 << 22


def in_parts(draws: int, numbers: int) -> Iterator[int]:
    """Cut draws into parts of a few dozen megabytes at so many numbers a draw."""
    step = max(1, _NUMBERS_AT_ONCE // max(numbers, 1))
    for start in range(0, draws, step):
        yield min(step, draws - start)


def check_draws(draws: int) -> None:
    """Refuse a number of random draws below 1.

    Raises
    ------
    InputError
        If it is.
    """
    if draws < 1:
        raise InputError(f"draws is {draws}; at least 1 is needed")
