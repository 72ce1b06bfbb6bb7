"""Converting failures of worker processes to errors about the file that they decoded."""

from collections.abc import Iterator
from contextlib import contextmanager

from basics.errors import Refusal
from basics.workers import pool
from printables.errors import PaperError


@contextmanager
def as_paper_errors(name: str, failed: str) -> Iterator[None]:
    """Raise a PaperError for each failure of `basics.workers.pool.call`.

    Parameters
    ----------
    name : str
        The file's name.
    failed : str
        The message for a file that needs too much time or memory, or crashes the decoder.

    Raises
    ------
    PaperError
        With the message `failed`, or with that of the task's refusal.

    Examples
    --------
    >>> with as_paper_errors("a.jpg", "is damaged; save it again"):
    ...     raise pool.TaskFailed
    Traceback (most recent call last):
    printables.errors.PaperError: a.jpg: is damaged; save it again
    """
    try:
        yield
    except pool.TaskFailed as fault:
        raise PaperError(failed, name) from fault
    except Refusal as refusal:
        raise PaperError(refusal.finding, refusal.file, refusal.line) from refusal
