"""Writing a PDF file object by object, so that only the current page is in memory.

The same objects give the same bytes: there are no dates, and the file's identifier is taken from
the SHA-256 of its content.

References
----------
ISO 32000-1:2008, 7.5 (file structure).
"""

import hashlib
import zlib
from typing import BinaryIO

_HEAD = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"


class PdfFile:
    """A PDF that is written to an open binary file, one object at a time.

    Parameters
    ----------
    file : binary file
        Open for writing, at position 0.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._places: list[int | None] = []
        self._written = 0
        self._digest = hashlib.sha256()
        self._write(_HEAD)

    def reserve(self) -> int:
        """Reserve a number for an object that is written later."""
        self._places.append(None)
        return len(self._places)

    def add(self, body: str, number: int | None = None) -> int:
        """Write an object and return its number."""
        return self._object(body.encode("latin-1"), number)

    def add_stream(self, entries: str, content: bytes, number: int | None = None) -> int:
        """Write a stream whose content is encoded as its dictionary says; return its number."""
        head = f"<< {entries} /Length {len(content)} >>\nstream\n".encode("latin-1")
        return self._object(head + content + b"\nendstream", number)

    def add_compressed(self, entries: str, content: bytes, number: int | None = None) -> int:
        """Compress and write a stream; return its number."""
        entries = f"{entries} /Filter /FlateDecode".lstrip()
        return self.add_stream(entries, zlib.compress(content, 6), number)

    def close(self, catalogue: int, information: int) -> None:
        """Write the cross-reference table and the trailer; the file is not closed."""
        table = [b"0000000000 65535 f \n"]
        for number, place in enumerate(self._places, 1):
            if place is None:
                raise AssertionError(f"object {number} was reserved and never written")
            table.append(b"%010d 00000 n \n" % place)
        start, digest = self._written, self._digest.hexdigest()[:32]
        self._write(b"xref\n0 %d\n" % len(table) + b"".join(table))
        trailer = (
            f"trailer\n<< /Size {len(table)} /Root {catalogue} 0 R /Info {information} 0 R "
            f"/ID [<{digest}> <{digest}>] >>\nstartxref\n{start}\n%%EOF\n"
        )
        self._write(trailer.encode("latin-1"))

    def _object(self, body: bytes, number: int | None) -> int:
        number = number or self.reserve()
        self._places[number - 1] = self._written
        self._write(b"%d 0 obj\n" % number)
        self._write(body)
        self._write(b"\nendobj\n")
        return number

    def _write(self, content: bytes) -> None:
        self._file.write(content)
        self._digest.update(content)
        self._written += len(content)


def text_string(text: str) -> str:
    """Encode a text for use outside pages, such as a title: UTF-16 in hexadecimal."""
    return f"<feff{text.encode('utf-16-be').hex()}>"
