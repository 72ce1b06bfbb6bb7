"""Memory that a long computation has freed.

With glibc, a process keeps most of it for itself, so that a second computation may need memory
beside what the first one has freed. On other systems nothing is done.
"""

import ctypes
import sys

_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
_LARGE_BYTES = 1 << 20
_KEPT_BYTES, _KEPT_LARGE_BYTES = 1 << 27, 1 << 25

_gives_back_large = False


def give_back() -> None:
    """Give freed memory back to the system."""
    _call("malloc_trim", 0)


def give_back_large() -> None:
    """From now on, give arrays of a megabyte and more back as soon as they are freed.

    Otherwise glibc stops doing so for arrays as large as those freed so far, up to 32 MB.
    """
    global _gives_back_large
    _gives_back_large = True
    _call("mallopt", _MMAP_THRESHOLD, _LARGE_BYTES)


def keep() -> None:
    """From now on, keep up to 128 MB of freed memory, for computations with many large arrays.

    Linux clears memory before it gives it to a process again. For photos of 300 cards, that takes a
    twentieth of the time of reading, and a third after `give_back_large`.
    """
    _call("mallopt", _MMAP_THRESHOLD, _KEPT_LARGE_BYTES)
    _call("mallopt", _TRIM_THRESHOLD, _KEPT_BYTES)


def keep_no_longer() -> None:
    """Give memory back as before `keep`, if `give_back_large` was called."""
    if _gives_back_large:
        give_back_large()
        give_back()


def _call(name: str, *arguments: int) -> None:
    function = getattr(ctypes.CDLL(None), name, None) if sys.platform == "linux" else None
    if function is not None:
        function(*arguments)
