"""Settings: everything that an installation may choose, one documented field each."""

import os
import secrets
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from study_app.core.errors import StudyError

DEFAULT_INSTANCE = "instance"


class AddressUnknown(StudyError):
    """Rows are kept in SQLite or PostgreSQL."""

    def __init__(self) -> None:
        super().__init__(
            "Not a database address. Give postgresql://user:password@host/name, or leave it out "
            "to use a file in the instance folder."
        )


@dataclass(frozen=True)
class Settings:
    """What an installation chose.

    Attributes
    ----------
    instance : Path
        Folder that holds the database, the pictures, the photos and the secret key.
    database_url : str
        SQLAlchemy address; SQLite in the instance folder unless told otherwise.
    https : bool
        Whether pages are served over HTTPS; cookies are then sent over nothing else.
    upload_limit_bytes : int
        Largest request that is read, in bytes.
    picture_limit_pixels : int
        Largest picture or photo that is decoded, in pixels.
    proxies : int
        How many proxies stand before the server: so many addresses that they add are believed.
    trusted_hosts : tuple of str
        Names that the app is asked for; ".example.org" with all below it; empty for any.
    """

    instance: Path
    database_url: str
    https: bool = False
    upload_limit_bytes: int = 2 * 1024**3
    picture_limit_pixels: int = 120_000_000
    proxies: int = 0
    trusted_hosts: tuple[str, ...] = ()

    @classmethod
    def of(
        cls, instance: str | Path | None = None, database: str | None = None, https: bool = False
    ) -> Self:
        """Settings from options, then from the environment (SKETCH_STUDY_…), then defaults."""
        folder = Path(
            instance or os.environ.get("SKETCH_STUDY_INSTANCE", DEFAULT_INSTANCE)
        ).resolve()
        url = database or os.environ.get("SKETCH_STUDY_DATABASE")
        return cls(folder, _address(url) if url else f"sqlite:///{folder / 'study.sqlite3'}", https)

    def secret_key(self) -> bytes:
        """The key that signs cookies: drawn at first use, readable by its owner only."""
        path = self.instance / "secret_key"
        # Others on this machine read neither the rows nor the photos.
        self.instance.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Written beside and renamed: a disk that is full leaves no empty key behind.
        if not path.exists() or not path.stat().st_size:
            descriptor, drawn = tempfile.mkstemp(prefix="secret_key-", dir=self.instance)
            with os.fdopen(descriptor, "wb") as file:
                file.write(secrets.token_bytes(32))
            Path(drawn).replace(path)
        return path.read_bytes()


def _address(url: str) -> str:
    """PostgreSQL addresses as people write them, with the driver that is installed."""
    if url.startswith(("sqlite:", "postgresql+psycopg://")):
        return url
    for written in ("postgres://", "postgresql://"):
        if url.startswith(written):
            return "postgresql+psycopg://" + url.removeprefix(written)
    raise AddressUnknown()
