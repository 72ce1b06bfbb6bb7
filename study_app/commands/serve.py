"""`sketch-study serve` and `sign-in-link`: the web app, and links to sign in."""

from __future__ import annotations

import logging
import os
import signal
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from basics.system_messages import system_reason
from study_app.commands.instance import instance_options
from study_app.commands.threads import one_thread
from study_app.core.errors import StudyError

if TYPE_CHECKING:
    from flask import Flask
    from sqlalchemy import Engine

    from study_app.core.config import Settings
    from study_app.operations.http.listener import Listener
    from study_app.operations.scheduled_backups import Schedule

log = logging.getLogger(__name__)

# Another command may be upgrading the database, or a starting server may hold the installation
# exclusively, for a moment.
MEETING_SECONDS = 2
PORT, PROCESSES = click.IntRange(0, 65535), click.IntRange(1, 64)
HOURS, COUNT = click.FloatRange(min=0.01), click.IntRange(min=1)


class CannotServe(StudyError):
    """The port is in use, or the address does not belong to this computer."""

    def __init__(self, host: str, port: int, fault: OSError) -> None:
        reason = system_reason(fault)
        super().__init__(
            f"Cannot serve on port {port} of {host} ({reason}). Choose another port with --port (0 "
            "for a free one), or an address of this computer with --host."
        )


class OneProcess(StudyError):
    """Several web processes need PostgreSQL, and a system on which they can share a port."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"{reason}: omit --workers, or use --workers 1.")


@dataclass(frozen=True)
class Plan:
    """The options of a server.

    Attributes
    ----------
    host : str
    port : int
        0 for a free one.
    workers : int
        Number of web processes.
    jobs : bool
        Whether this server also runs jobs, in a process of their own; on SQLite it always does.
    schedule : Schedule or None
        When backups are made; None for never.
    json_log : bool
    """

    host: str = "127.0.0.1"
    port: int = 8000
    workers: int = 1
    jobs: bool = True
    schedule: Schedule | None = None
    json_log: bool = False


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="0.0.0.0: the whole network.")
@click.option("--port", default=8000, show_default=True, type=PORT, help="0 chooses a free one.")
@click.option(
    "--https", is_flag=True, help="Serve over HTTPS, so that phones allow the live camera."
)
@click.option(
    "--proxies",
    default=0,
    type=click.IntRange(0, 10),
    help="Number of reverse proxies before this server.",
)
@click.option(
    "--trusted-host", multiple=True, metavar="NAME", help="Answer only under this host name."
)
@click.option(
    "--workers", default=1, type=PROCESSES, show_default=True, help="Web processes (PostgreSQL)."
)
@click.option("--no-jobs", is_flag=True, help="Leave jobs to `sketch-study work` (PostgreSQL).")
@click.option("--log-json", is_flag=True, help="Log requests and errors as JSON, one a line.")
@click.option("--backup-to", metavar="DIR", help="Make backups into this folder.")
@click.option(
    "--backup-every", default=24.0, type=HOURS, show_default=True, help="Hours between backups."
)
@click.option("--keep-backups", default=14, type=COUNT, show_default=True, help="Backups to keep.")
@click.option("--backup-recipient", multiple=True, metavar="KEY", help="Encrypt for this age key.")
@click.option("--instance", metavar="DIR", help="Folder of the installation [./instance].")
@click.option("--database", metavar="URL", help="Database address, for PostgreSQL.")
@click.option("--files", metavar="URL", help="Object store of the files: s3://bucket/prefix.")
def serve(host: str, port: int, https: bool, **before: Any) -> None:
    """Serve the web app; prints a one-time sign-in link until a researcher can sign in.

    Example: sketch-study serve --host 0.0.0.0 --port 8000
    """
    one_thread()
    from study_app import create_app
    from study_app.core.config import Settings
    from study_app.operations import json_log, private_files

    settings = replace(
        Settings.of(before["instance"], before["database"], https, before["files"]),
        proxies=before["proxies"],
        trusted_hosts=before["trusted_host"],
    )
    is_json, workers = before["log_json"], before["workers"]
    refuse_processes(settings, workers)
    private_files.begin()
    if is_json:
        json_log.begin()
    plan = Plan(host, port, workers, not before["no_jobs"], _schedule(before), is_json)
    run(create_app(settings), plan)


def refuse_processes(settings: Settings, workers: int) -> None:
    """Refuse several processes if they would not work.

    Raises
    ------
    OneProcess
    """
    from study_app.core.database import is_sqlite

    if workers > 1 and is_sqlite(settings.database_url):
        raise OneProcess("SQLite has one writer, so only one process can serve it")
    if workers > 1 and sys.platform == "win32":
        raise OneProcess("On Windows, only one process can serve a port")


def _schedule(options: Mapping[str, Any]) -> Schedule | None:
    """The schedule of backups from the options; None for never."""
    from study_app.operations.encryption import Encryption
    from study_app.operations.scheduled_backups import Schedule

    if not options["backup_to"]:
        return None
    encryption = Encryption(options["backup_recipient"])
    folder, every = Path(options["backup_to"]), options["backup_every"]
    return Schedule(folder, every, options["keep_backups"], encryption)


def run(app: Flask, plan: Plan) -> None:
    """Serve until interrupted, or stopped by the system."""
    from study_app.commands import warm_up
    from study_app.commands.processes import web_processes
    from study_app.commands.processes.job_process import JobProcess
    from study_app.core.database import is_sqlite
    from study_app.operations import scheduled_backups
    from study_app.operations.http.server import Server

    settings = app.config["SETTINGS"]
    signal.signal(signal.SIGTERM, _interrupt)
    with ExitStack() as stack:
        stack.enter_context(prepared(app))
        listener, certificate = _listen(app, plan), _certificate(settings)
        if plan.schedule:
            stack.callback(scheduled_backups.start(app, plan.schedule).set)
        _announce(app)
        if plan.jobs or is_sqlite(settings.database_url):
            job_process = JobProcess(app, plan.json_log)
            job_process.begin()
            stack.callback(job_process.stop)
        if plan.workers > 1:
            addresses = tuple(app.config["SERVED_AT"])
            served = web_processes.Served(settings, addresses, certificate, plan.json_log)
            web_processes.serve(served, listener, plan.workers)
        else:
            warm_up.in_background(app)
            with suppress(KeyboardInterrupt):
                Server(app, listener, certificate).run()
    click.echo("Stopped.")


def _interrupt(*_: object) -> NoReturn:
    raise KeyboardInterrupt


@contextmanager
def prepared(app: Flask) -> Iterator[None]:
    """Lock the installation, and delete what killed processes and withdrawals left.

    The lock is exclusive on SQLite; on PostgreSQL, servers and workers of the same key share it.
    """
    from study_app.core.caching import shared_results
    from study_app.core.database import db, instance_lock, is_sqlite, refuse_damaged
    from study_app.core.storage.chosen_store import store_of
    from study_app.operations import database_clock, private_files, shared_key, startup_cleanup
    from study_app.studies.people import withdrawal

    settings, key = app.config["SETTINGS"], app.config["SECRET_KEY"]
    is_alone = is_sqlite(settings.database_url)
    with app.app_context():
        engine = db.engine
    if not is_alone and shared_key.note_if_alone(engine, settings.instance, key):
        # They may have been computed by an earlier version.
        shared_results.delete_all(settings)
    with instance_lock.installation(
        engine,
        settings.instance,
        MEETING_SECONDS,
        together=not is_alone,
        regained=lambda: _end_if_upgraded(engine),
    ):
        refuse_damaged(engine)
        if not is_alone:
            shared_key.refuse_other(engine, settings.instance, key)
            database_clock.warn(engine)
        with app.app_context():
            store_of(settings).check()
            startup_cleanup.clear(settings, alone=is_alone)
        private_files.protect(settings.instance)
        stopped = withdrawal.keep_up(app)
        try:
            yield
        finally:
            stopped.set()


def _end_if_upgraded(engine: Engine) -> None:
    """End this program if a newer one has upgraded the database, while this host was cut off."""
    from study_app.core import migrations

    try:
        migrations.refuse_newer(engine)
    except migrations.NewerDatabase as newer:
        log.error("%s", newer)
        os.kill(os.getpid(), signal.SIGTERM)


def _certificate(settings: Settings) -> tuple[Path, Path] | None:
    from study_app.operations.certificates import server_certificate

    return server_certificate(settings.instance) if settings.https else None


def _listen(app: Flask, plan: Plan) -> Listener:
    from study_app.operations.http.listener import Listener, counts_behind

    settings = app.config["SETTINGS"]
    try:
        listener = Listener(plan.host, plan.port, counts_behind(settings.proxies))
    except OSError as fault:
        raise CannotServe(plan.host, plan.port, fault) from fault
    app.config["SERVED_AT"] = _addresses(settings, plan.host, listener.port)
    return listener


def _announce(app: Flask) -> None:
    """Print the URLs of the app, and a first sign-in link."""
    addresses = app.config["SERVED_AT"]
    click.echo(f"Serving at {addresses[-1]} (stop with Ctrl+C)")
    for address in addresses[:-1]:
        click.echo(f"       and {address}")
    if app.config["SETTINGS"].https:
        click.echo(
            f"Install this certificate authority once on each phone: {addresses[-1]}/authority.pem"
        )
    link = first_link(app)
    if link:
        click.echo(f"Sign in for the first time (valid once, for 24 hours): {addresses[-1]}{link}")


def first_link(app: Flask) -> str | None:
    """The path of a new one-time link if no researcher can sign in, else None."""
    from study_app.accounts import researchers
    from study_app.core.database import writing

    with app.app_context(), writing() as session:
        if researchers.anybody(session):
            return None
        return f"/welcome/{researchers.make_link(session)}"


def _addresses(settings: Settings, host: str, port: int) -> list[str]:
    """The server's URLs; the one that other computers can use is last.

    Behind a proxy it is known under its host name only, and the proxy has the certificate.
    """
    from study_app.operations.certificates import local_addresses

    if settings.proxies and settings.trusted_hosts:
        return [f"https://{name}" for name in settings.trusted_hosts]
    hosts = (
        sorted(local_addresses(), key=lambda a: a != "127.0.0.1") if host == "0.0.0.0" else [host]
    )
    names = (f"[{name}]" if ":" in name else name for name in hosts)
    return [f"http{'s' if settings.https else ''}://{name}:{port}" for name in names]


@click.command("sign-in-link")
@click.option("--for", "name", metavar="NAME", help="Reset this researcher's password.")
@click.option("--address", default="http://127.0.0.1:8000", help="URL of the app.")
@instance_options
def sign_in_link(name: str | None, address: str) -> None:
    """Print a one-time link, for a new researcher or for a lost password.

    Example: sketch-study sign-in-link --for Ada
    """
    from study_app.accounts import researchers
    from study_app.core.database import writing

    with writing() as session:
        token = researchers.make_link(session, name)
    click.echo(f"{address}/welcome/{token}")
