"""Random draws: validation of their number, and batches that fit in memory."""

from collections.abc import Iterator

from analysis.errors import InputError

_NUMBERS_PER_BATCH = 1 << 22


def in_parts(draws: int, numbers: int) -> Iterator[int]:
    """Yield batch sizes for which draws of so many numbers need a few dozen megabytes."""
    step = max(1, _NUMBERS_PER_BATCH // max(numbers, 1))
    for start in range(0, draws, step):
        yield min(step, draws - start)


def check_draws(draws: int) -> None:
    """Check the number of random draws.

    Raises
    ------
    InputError
        If it is below 1.
    """
    if draws < 1:
        raise InputError(f"draws should be at least 1, but is {draws}")
