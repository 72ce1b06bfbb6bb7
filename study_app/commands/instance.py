"""The options shared by all commands on a study."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from study_app.commands.threads import one_thread
from study_app.core.errors import StudyError

if TYPE_CHECKING:
    from study_app.core.config import Settings


class NoInstallation(StudyError):
    """The folder contains no installation."""

    def __init__(self, folder: Path) -> None:
        super().__init__(
            f"{folder}: is not an installation; with --instance, give the folder that "
            "`sketch-study serve` uses."
        )


def instance_options(verb: Callable[..., None]) -> Callable[..., None]:
    """Add --instance and --database; the command receives `app`, inside its application context."""

    return _with_instance(verb, is_there=False)


def existing_instance_options(verb: Callable[..., None]) -> Callable[..., None]:
    """As `instance_options`, but refuses a folder without an installation."""
    return _with_instance(verb, is_there=True)


def settings_options(verb: Callable[..., None]) -> Callable[..., None]:
    """Add the same options; the command receives `settings`, and nothing is created yet."""

    @click.option("--instance", metavar="DIR", help="Folder of the installation [./instance].")
    @click.option("--database", metavar="URL", help="Database address, for PostgreSQL.")
    @click.option("--files", metavar="URL", help="Object store of the files: s3://bucket/prefix.")
    @functools.wraps(verb)
    def inside(
        *args: Any, instance: str | None, database: str | None, files: str | None, **kwargs: Any
    ) -> None:
        one_thread()
        from study_app.core.config import Settings
        from study_app.operations import private_files

        private_files.begin()
        return verb(*args, settings=Settings.of(instance, database, files=files), **kwargs)

    return inside


def _with_instance(verb: Callable[..., None], *, is_there: bool) -> Callable[..., None]:
    @settings_options
    @functools.wraps(verb)
    def inside(*args: Any, settings: Settings, **kwargs: Any) -> None:
        from study_app import open_installation
        from study_app.core.database import opened

        if is_there and not _has_database(settings.database_url):
            raise NoInstallation(settings.instance)
        with opened(open_installation(settings)):
            return verb(*args, **kwargs)

    return inside


def _has_database(url: str) -> bool:
    """Whether the file of a SQLite database exists; for PostgreSQL, always true."""
    return not url.startswith("sqlite:") or Path(url.removeprefix("sqlite:///")).exists()
