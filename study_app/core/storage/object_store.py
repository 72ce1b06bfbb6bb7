"""Files in an S3-compatible object store, through obstore."""

import io
import os
import threading
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import obstore
from obstore.exceptions import BaseError, NotFoundError
from obstore.store import S3Store

from study_app.core.errors import StudyError
from study_app.core.storage.stores import (
    FileMissing,
    Opened,
    StoreUnavailable,
    checked,
    is_name,
)

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer
    from obstore import ObjectMeta
    from obstore.store import RetryConfig

SCHEME = "s3://"
PIECE_BYTES = 1 << 20
# An unavailable store is reported within seconds, not after obstore's default of three minutes.
RETRIES: "RetryConfig" = {"max_retries": 3, "retry_timeout": timedelta(seconds=10)}
CONNECT_SECONDS, REQUEST_SECONDS = 5, 60
# A store that has stopped answering is noticed late. Until then, so many threads of a process wait
# for it, half of a server's; others wait a second, and once one has done so in vain, not at all.
MOST_AT_ONCE, WAIT_SECONDS = 12, 1


class StoreAddressUnknown(StudyError):
    """The address of a store must name an S3 bucket."""

    def __init__(self, address: str) -> None:
        super().__init__(f"{address[:80]!r} is not an object store. Give s3://bucket/prefix.")


class ObjectStore:
    """A store in a bucket; each file is an object that appears when it is complete.

    Parameters
    ----------
    address : str
        "s3://bucket" or "s3://bucket/prefix". Credentials, region and endpoint are read from the
        environment: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION, AWS_ENDPOINT_URL, ….

    Raises
    ------
    StoreAddressUnknown
    """

    def __init__(self, address: str) -> None:
        if not address.startswith(SCHEME) or not address.removeprefix(SCHEME).strip("/"):
            raise StoreAddressUnknown(address)
        self._address = address
        self._places, self._is_stuck = threading.BoundedSemaphore(MOST_AT_ONCE), False
        # The server checks the upload against this checksum.
        self._store = S3Store.from_url(
            address,
            config={"checksum_algorithm": "sha256"},
            client_options={
                "connect_timeout": timedelta(seconds=CONNECT_SECONDS),
                "timeout": timedelta(seconds=REQUEST_SECONDS),
                # Options override the environment.
                "allow_http": os.environ.get("AWS_ALLOW_HTTP", "").lower() == "true",
            },
            retry_config=RETRIES,
        )

    def check(self) -> None:
        with self._asked(""):
            obstore.list_with_delimiter(self._store)

    def put(self, name: str, content: bytes, durable: bool = True) -> None:
        with self._asked(name):
            obstore.put(self._store, checked(name), content)

    def move_in(self, name: str, path: Path) -> None:
        with self._asked(name):
            obstore.put(self._store, checked(name), path)
        path.unlink()

    def get(self, name: str) -> bytes:
        with self._asked(name):
            return obstore.get(self._store, checked(name)).bytes().to_bytes()

    def opened(self, name: str) -> Opened:
        with self._asked(name):
            about = obstore.head(self._store, checked(name))
        file = io.BufferedReader(_Pieces(self, name, about["size"]), PIECE_BYTES)
        return Opened(file, about["size"], (about["e_tag"] or "").strip('"'))

    def local(self, name: str, folder: Path) -> Path:
        copy = folder / Path(checked(name)).name
        with self.opened(name) as source, copy.open("wb") as file:
            while piece := source.file.read(PIECE_BYTES):
                file.write(piece)
        return copy

    def rename(self, name: str, new_name: str) -> None:
        with suppress(FileMissing), self._asked(name):
            obstore.rename(self._store, checked(name), checked(new_name))

    def delete(self, name: str) -> None:
        with suppress(FileMissing), self._asked(name):
            obstore.delete(self._store, checked(name))

    def exists(self, name: str) -> bool:
        try:
            with self._asked(name):
                obstore.head(self._store, checked(name))
        except FileMissing:
            return False
        return True

    def absent(self, names: Collection[str]) -> list[str]:
        kinds = {name.partition("/")[0] for name in names}
        present = {name for kind in kinds for name in self.names(kind)}
        return [name for name in names if name not in present]

    def bytes_in(self, prefix: str) -> int:
        return sum(one["size"] for one in self._listed(prefix))

    def names(self, prefix: str) -> Iterator[str]:
        return filter(is_name, (one["path"] for one in self._listed(prefix)))

    def _listed(self, prefix: str) -> Iterator["ObjectMeta"]:
        with self._asked(prefix):
            for found in obstore.list(self._store, prefix=prefix):
                yield from found

    def piece(self, name: str, start: int, length: int) -> bytes:
        """Some bytes of a file."""
        with self._asked(name):
            return obstore.get_range(self._store, name, start=start, length=length).to_bytes()

    @contextmanager
    def _asked(self, name: str) -> Iterator[None]:
        """Turn obstore's errors into sentences; refuses while too many others wait."""
        if not self._places.acquire(timeout=0 if self._is_stuck else WAIT_SECONDS):
            self._is_stuck = True
            raise StoreUnavailable(self._address, "it does not answer")
        try:
            yield
            self._is_stuck = False
        except (NotFoundError, FileNotFoundError):
            self._is_stuck = False
            raise FileMissing(name) from None
        except BaseError as fault:
            # Further lines can contain keys and headers of the request.
            reason = str(fault).partition("\n")[0][:200]
            raise StoreUnavailable(self._address, reason) from fault
        finally:
            self._places.release()


class _Pieces(io.RawIOBase):
    """A file object that reads an object by ranges."""

    def __init__(self, store: ObjectStore, name: str, size: int) -> None:
        self._store, self._name, self._size, self._at = store, name, size, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self._at = max(0, offset + {io.SEEK_SET: 0, io.SEEK_CUR: self._at}.get(whence, self._size))
        return self._at

    def readall(self) -> bytes:
        start, self._at = self._at, self._size
        left = self._size - start
        return self._store.piece(self._name, start, left) if left > 0 else b""

    def readinto(self, buffer: "WriteableBuffer") -> int:
        room = memoryview(buffer).cast("B")
        length = min(len(room), self._size - self._at)
        if length <= 0:
            return 0
        room[:length] = self._store.piece(self._name, self._at, length)
        self._at += length
        return length
