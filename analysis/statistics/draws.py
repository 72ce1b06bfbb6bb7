"""Random draws: the allowed number, and how many are made at a time."""

from collections.abc import Iterator

from analysis.errors import InputError

_NUMBERS_AT_ONCE = 1 << 22


def in_parts(draws: int, numbers: int) -> Iterator[int]:
    """Split draws into parts of a few dozen megabytes, given the numbers per draw."""
    step = max(1, _NUMBERS_AT_ONCE // max(numbers, 1))
    for start in range(0, draws, step):
        yield min(step, draws - start)


def check_draws(draws: int) -> None:
    """Raise an error if the number of random draws is below 1.

    Raises
    ------
    InputError
        If it is below 1.
    """
    if draws < 1:
        raise InputError(f"draws is {draws}; at least 1 is needed")
