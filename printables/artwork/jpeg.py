"""Where the picture in a JPEG file ends: phones append videos and second pictures to it.

Markers as in ITU-T T.81, annex B: a segment's length follows its marker, and the data after a
scan's header end at the first marker that is neither a stuffed zero nor a restart.
"""

import re

# Only the last fill byte before a marker is matched; otherwise each would be tried as the first.
_MARKER = re.compile(rb"\xff([^\x00\xff])", re.DOTALL)
_AFTER_SCAN = re.compile(rb"\xff([^\x00\xff\xd0-\xd7])", re.DOTALL)
_END, _SCAN = 0xD9, 0xDA
# TEM, restarts and the start of the image have no length.
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
        None if the picture has no end because the file is truncated.
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
