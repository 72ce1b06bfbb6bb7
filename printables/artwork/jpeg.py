"""Where the picture in a JPEG file ends: telephones append films and second pictures to it.

Markers as in ITU-T T.81, annex B: a segment's length stands behind its marker, and what follows a
scan's header runs on until a marker that is neither a stuffed zero nor a restart.
"""

import re

# Of the fill bytes before a marker only the last is matched: else each would be tried as the first.
_MARKER = re.compile(rb"\xff([^\x00\xff])", re.DOTALL)
_AFTER_SCAN = re.compile(rb"\xff([^\x00\xff\xd0-\xd7])", re.DOTALL)
_END, _SCAN = 0xD9, 0xDA
# TEM, restarts and the start of the image stand alone.
_WITHOUT_LENGTH = {0x01, *range(0xD0, 0xD9)}


def picture_alone(content: bytes) -> bytes | None:
    """The file up to the end of its first picture.

    Parameters
    ----------
    content : bytes
        A JPEG file.

    Returns
    -------
    bytes or None
        None where the picture has no end: the file is cut off.
    """
    at, pattern = 0, _MARKER
    while found := pattern.search(content, at):
        at, pattern = found.end(), _MARKER
        marker = found[1][0]
        if marker == _END:
            return content[:at]
        if marker in _WITHOUT_LENGTH:
            continue
        at += int.from_bytes(content[at : at + 2], "big")
        if marker == _SCAN:
            pattern = _AFTER_SCAN
    return None
