"""Memory that a long computation has freed."""

import ctypes
import sys


def give_back() -> None:
    """Give freed memory back to the system.

    With glibc, a process keeps most of it for itself, so that a second computation may need memory
    beside what the first one has freed. Elsewhere nothing is done.
    """
    if sys.platform != "linux":
        return
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
