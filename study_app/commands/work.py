"""`sketch-study work`: run the jobs of an installation on PostgreSQL, in a separate process."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

import click

from basics import memory
from study_app.commands.instance import settings_options
from study_app.core.errors import StudyError

if TYPE_CHECKING:
    from study_app.core.config import Settings

AT_ONCE = click.IntRange(1, 64)


class ServerWorks(StudyError):
    """On SQLite the server runs the jobs."""

    def __init__(self) -> None:
        super().__init__(
            "On SQLite the server runs the jobs itself. Give the address of a PostgreSQL database "
            "with --database."
        )


@click.command()
@click.option(
    "--at-once", default=4, type=AT_ONCE, show_default=True, help="Number of parallel jobs."
)
@click.option("--log-json", is_flag=True, help="Log as JSON, one a line.")
@settings_options
def work(at_once: int, log_json: bool, settings: Settings) -> None:
    """Run imports, prints, exports and computations for servers on PostgreSQL.

    Example: sketch-study work --database postgresql://study@db.example/study
    """
    from study_app import open_installation
    from study_app.commands.processes.job_process import load_kinds
    from study_app.commands.serve import prepared
    from study_app.core.background import workers
    from study_app.core.database import is_sqlite, opened
    from study_app.operations import json_log

    if is_sqlite(settings.database_url):
        raise ServerWorks()
    if log_json:
        json_log.begin()
    memory.give_back_large()
    app = open_installation(settings)
    load_kinds()
    with opened(app), prepared(app):
        click.echo("Working (stop with Ctrl+C)")
        worker = workers.worker(app, at_once)
        signal.signal(signal.SIGTERM, lambda *_: worker.stop())
        worker.run()
    click.echo("Stopped.")
