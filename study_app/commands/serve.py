"""`sketch-study serve` and `sign-in-link`: the web app, and a way into it."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from study_app.commands.instance import instance_options
from study_app.commands.threads import one_thread
from study_app.core.errors import StudyError

if TYPE_CHECKING:
    from flask import Flask

    from study_app.operations.scheduled_backups import Schedule

# Another command may be upgrading the database at this moment.
MEETING_SECONDS = 2
PORT = click.IntRange(0, 65535)
HOURS, KEPT = click.FloatRange(min=0.01), click.IntRange(min=1)


class CannotServe(StudyError):
    """The port is in use, or the address is not one of this computer."""

    def __init__(self, host: str, port: int, fault: OSError) -> None:
        reason = fault.strerror or str(fault)
        super().__init__(
            f"Port {port} of {host} cannot be served ({reason}); choose another with --port, "
            "0 for a free one, and with --host an address of this computer."
        )


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="0.0.0.0: the whole network.")
@click.option("--port", default=8000, show_default=True, type=PORT, help="0 chooses a free one.")
@click.option(
    "--https", is_flag=True, help="Serve over HTTPS, so that phones allow the live camera."
)
@click.option(
    "--proxies", default=0, type=click.IntRange(0, 10), help="Reverse proxies before this server."
)
@click.option(
    "--trusted-host", multiple=True, metavar="NAME", help="Answer only under this host name."
)
@click.option("--backup-to", metavar="DIR", help="Make backups into this folder.")
@click.option("--backup-every", default=24.0, type=HOURS, show_default=True, help="Hours between.")
@click.option("--backups-kept", default=14, type=KEPT, show_default=True, help="Delete older ones.")
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
    from study_app.operations import private_files

    settings = replace(
        Settings.of(before["instance"], before["database"], https, before["files"]),
        proxies=before["proxies"],
        trusted_hosts=before["trusted_host"],
    )
    private_files.begin()
    run(create_app(settings), host, port, _schedule(before))


def _schedule(options: Mapping[str, Any]) -> Schedule | None:
    """When to make backups, as the options say; None for never."""
    from study_app.operations.encryption import Encryption
    from study_app.operations.scheduled_backups import Schedule

    if not options["backup_to"]:
        return None
    encryption = Encryption(options["backup_recipient"])
    folder, every = Path(options["backup_to"]), options["backup_every"]
    return Schedule(folder, every, options["backups_kept"], encryption)


def run(app: Flask, host: str, port: int, schedule: Schedule | None = None) -> None:
    """Serve until interrupted."""
    from study_app.core import instance_lock, jobs
    from study_app.core.database import db, is_sqlite, refuse_damaged
    from study_app.core.storage.chosen_store import store_of
    from study_app.operations import private_files, scheduled_backups, startup_cleanup

    settings = app.config["SETTINGS"]
    with ExitStack() as held:
        with app.app_context():
            engine, is_alone = db.engine, is_sqlite(settings.database_url)
            held.enter_context(
                instance_lock.installation(
                    engine, settings.instance, MEETING_SECONDS, together=not is_alone
                )
            )
            refuse_damaged(engine)
            store_of(settings).check()
            startup_cleanup.clear(settings, alone=is_alone)
        private_files.protect(settings.instance)
        if schedule:
            held.callback(scheduled_backups.start(app, schedule).set)
        if not is_alone:
            worker = jobs.worker(app)
            worker.start()
            held.callback(worker.stop)
        _serve(app, host, port)


def _serve(app: Flask, host: str, port: int) -> None:
    from study_app.operations.certificates import server_certificate
    from study_app.operations.http.listener import MOST_CONNECTIONS, Counts
    from study_app.operations.http.server import Server

    settings = app.config["SETTINGS"]
    certificate = server_certificate(settings.instance) if settings.https else None
    # Behind a proxy all requests have its address.
    counts = Counts(most_from_one=MOST_CONNECTIONS) if settings.proxies else Counts()
    try:
        server = Server(app, host, port, certificate, counts)
    except OSError as fault:
        raise CannotServe(host, port, fault) from fault
    addresses = _addresses(host, server.port, settings.https)
    app.config["SERVED_AT"] = addresses
    click.echo(f"Serving at {addresses[-1]} (stop with Ctrl+C)")
    for address in addresses[:-1]:
        click.echo(f"       and {address}")
    if settings.https:
        click.echo(
            f"Install this certificate authority once on each phone: {addresses[-1]}/authority.pem"
        )
    link = first_link(app)
    if link:
        click.echo(f"Sign in for the first time, once, within 24 hours: {addresses[-1]}{link}")
    with contextlib.suppress(KeyboardInterrupt):
        server.run()
    click.echo("Stopped.")


def first_link(app: Flask) -> str | None:
    """The path of a new one-time link if no researcher can sign in, else None."""
    from study_app.accounts import researchers
    from study_app.core.database import writing

    with app.app_context(), writing() as session:
        if researchers.anybody(session):
            return None
        return f"/welcome/{researchers.make_link(session)}"


def _addresses(host: str, port: int, https: bool) -> list[str]:
    """The server's URLs; the one that other computers can use is last."""
    from study_app.operations.certificates import local_addresses

    hosts = (
        sorted(local_addresses(), key=lambda a: a != "127.0.0.1") if host == "0.0.0.0" else [host]
    )
    names = (f"[{name}]" if ":" in name else name for name in hosts)
    return [f"http{'s' if https else ''}://{name}:{port}" for name in names]


@click.command("sign-in-link")
@click.option("--for", "name", metavar="NAME", help="Reset this researcher's password.")
@click.option("--address", default="http://127.0.0.1:8000", help="Where the app is served.")
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
