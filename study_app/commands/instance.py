"""The options shared by all commands on a study."""

import functools
from collections.abc import Callable
from typing import Any

import click

from study_app.commands.threads import one_thread


def instance_options(verb: Callable[..., None]) -> Callable[..., None]:
    """Add --instance and --database; the command receives `app`, inside its application context."""

    @click.option("--instance", metavar="DIR", help="Folder of the installation [./instance].")
    @click.option("--database", metavar="URL", help="Database address, for PostgreSQL.")
    @functools.wraps(verb)
    def inside(*args: Any, instance: str | None, database: str | None, **kwargs: Any) -> None:
        one_thread()
        from study_app import create_app
        from study_app.operations import private_files

        private_files.begin()
        from study_app.core.config import Settings
        from study_app.core.database import opened

        with opened(create_app(Settings.of(instance, database))):
            return verb(*args, **kwargs)

    return inside
