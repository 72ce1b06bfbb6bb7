"""Memory that a long computation has freed.

With glibc, a process keeps most of it for itself, so that a second computation may need memory
beside what the first one has freed. On other systems nothing is done.
"""

import ctypes
import sys

_MMAP_THRESHOLD = -3
_LARGE_BYTES = 1 << 20


def give_back() -> None:
    """Give freed memory back to the system."""
    _call("malloc_trim", 0)


def give_back_large() -> None:
    """From now on, give arrays of a megabyte and more back as soon as they are freed.

    Otherwise glibc stops doing so for arrays as large as those freed so far, up to 32 MB.
    """
    _call("mallopt", _MMAP_THRESHOLD, _LARGE_BYTES)


def _call(name: str, *arguments: int) -> None:
    function = getattr(ctypes.CDLL(None), name, None) if sys.platform == "linux" else None
    if function is not None:
        function(*arguments)
