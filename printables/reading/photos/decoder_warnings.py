"""What the JPEG decoder writes about damaged data, of which OpenCV returns a picture all the same.

After damaged bytes, the rest of the picture can be grey or displaced, so that cards are missing or
seem to lie in another group.

Changed bits whose data end exactly where the picture does are beyond any check of the file: its
markers and lengths are right, and every byte is needed. Then only a few blocks differ, or all below
are lighter or darker but in their places; cards there are read, or are unread in sight.

References
----------
The messages are those of libjpeg's `jerror.h`, which libjpeg-turbo shares. It writes the first of a
picture only.
"""

import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

_DAMAGED = re.compile(
    r"premature end of|bad Huffman code|bad arithmetic code|found marker \w+ instead of RST"
)
_EXTRANEOUS = re.compile(r"(\d+) extraneous bytes")
# Some cameras write a few bytes between the picture and its end.
_MOST_EXTRANEOUS = 16
_STDERR = 2


@contextmanager
def written_to_stderr() -> Iterator[list[str]]:
    """Collect what libraries write to the error stream of this process.

    Yields
    ------
    list of str
        Empty; afterwards, it has the text.
    """
    written: list[str] = []
    before = os.dup(_STDERR)
    try:
        with tempfile.TemporaryFile() as file:
            os.dup2(file.fileno(), _STDERR)
            try:
                yield written
            finally:
                os.dup2(before, _STDERR)
                file.seek(0)
                written.append(file.read().decode(errors="replace"))
    finally:
        os.close(before)


def is_damaged(written: str) -> bool:
    """Whether the decoder's messages mean that a part of the picture is missing or displaced.

    Parameters
    ----------
    written : str

    Returns
    -------
    bool

    Examples
    --------
    >>> is_damaged("Corrupt JPEG data: premature end of data segment")
    True
    >>> is_damaged("Corrupt JPEG data: 2 extraneous bytes before marker 0xd9")
    False
    """
    extraneous = [int(count) for count in _EXTRANEOUS.findall(written)]
    return bool(_DAMAGED.search(written)) or max(extraneous, default=0) > _MOST_EXTRANEOUS
