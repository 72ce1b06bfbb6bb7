"""Settings of an installation, one documented field each."""

import os
import secrets
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from study_app.core.errors import StudyError

DEFAULT_INSTANCE = "instance"


# Characters of a secret in the environment; one from `secrets.token_hex()` has 64.
SHORTEST_SECRET = 32


class SecretTooShort(StudyError):
    """A secret is so short that it could be guessed."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"{name} has fewer than {SHORTEST_SECRET} characters. Generate one with "
            '`python -c "import secrets; print(secrets.token_hex())"`.'
        )


class AddressUnknown(StudyError):
    """The database must be SQLite or PostgreSQL."""

    def __init__(self) -> None:
        super().__init__(
            "Not a database address. Give postgresql://user:password@host/name, or leave it out "
            "to use a file in the instance folder."
        )


@dataclass(frozen=True)
class Settings:
    """Settings of an installation.

    Attributes
    ----------
    instance : Path
        Folder of the database, the pictures, the photos and the secret key.
    database_url : str
        SQLAlchemy URL; by default SQLite in the instance folder.
    files : str
        Object store of the pictures, photos, prints and exports, such as "s3://bucket/prefix";
        empty for the instance folder.
    https : bool
        Whether pages are served over HTTPS; cookies are then sent only over HTTPS.
    upload_limit_bytes : int
        Largest accepted request, in bytes.
    picture_limit_pixels : int
        Largest picture or photo that is decoded, in pixels.
    proxies : int
        Number of reverse proxies before the server, whose forwarded addresses are trusted.
    trusted_hosts : tuple of str
        Accepted host names; ".example.org" includes subdomains; empty for any.
    """

    instance: Path
    database_url: str
    https: bool = False
    files: str = ""
    upload_limit_bytes: int = 2 * 1024**3
    picture_limit_pixels: int = 120_000_000
    proxies: int = 0
    trusted_hosts: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        instance: str | Path | None = None,
        database: str | None = None,
        https: bool = False,
        files: str | None = None,
    ) -> Self:
        """Settings from options, then from the environment (SKETCH_STUDY_…), then defaults."""
        folder = Path(
            instance or os.environ.get("SKETCH_STUDY_INSTANCE", DEFAULT_INSTANCE)
        ).resolve()
        url = database or os.environ.get("SKETCH_STUDY_DATABASE")
        rows = _address(url) if url else f"sqlite:///{folder / 'study.sqlite3'}"
        return cls(folder, rows, https, _files(files))

    def secret_key(self) -> bytes:
        """The key that signs cookies, of SKETCH_STUDY_SECRET_KEY or of the instance folder.

        There it is generated at first use, readable by its owner only.

        Raises
        ------
        SecretTooShort
        """
        given = _secret("SKETCH_STUDY_SECRET_KEY")
        path = self.instance / "secret_key"
        # Other users of this computer must not read the rows or the photos.
        self.instance.mkdir(mode=0o700, parents=True, exist_ok=True)
        if os.name == "posix":
            self.instance.chmod(0o700)
        if given:
            return given.encode()
        # Written to a temporary file and renamed, so that a full disk leaves no empty key.
        if not path.exists() or not path.stat().st_size:
            descriptor, drawn = tempfile.mkstemp(prefix="secret_key-", dir=self.instance)
            with os.fdopen(descriptor, "wb") as file:
                file.write(secrets.token_bytes(32))
            Path(drawn).replace(path)
        return path.read_bytes()


def metrics_token() -> str:
    """The token with which other machines may read the metrics; empty if none may.

    Raises
    ------
    SecretTooShort
    """
    return _secret("SKETCH_STUDY_METRICS_TOKEN")


def _secret(name: str) -> str:
    value = os.environ.get(name, "")
    if value and len(value) < SHORTEST_SECRET:
        raise SecretTooShort(name)
    return value


def _files(chosen: str | None) -> str:
    return os.environ.get("SKETCH_STUDY_FILES", "") if chosen is None else chosen


def _address(url: str) -> str:
    """PostgreSQL URLs as people write them, with the installed driver."""
    if url.startswith(("sqlite:", "postgresql+psycopg://")):
        return url
    for written in ("postgres://", "postgresql://"):
        if url.startswith(written):
            return "postgresql+psycopg://" + url.removeprefix(written)
    raise AddressUnknown()
