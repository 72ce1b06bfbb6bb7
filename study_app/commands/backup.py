"""`sketch-study backup` and `restore`: a whole installation in one file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from basics.plurals import counted
from basics.verbs import force_option
from study_app.commands.instance import existing_instance_options, settings_options

if TYPE_CHECKING:
    from study_app.core.config import Settings

EXISTING = click.Path(path_type=Path, exists=True, dir_okay=False)


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--recipient", multiple=True, metavar="KEY", help="Encrypt for this age or SSH key.")
@click.option("--passphrase-file", type=EXISTING, help="Encrypt with the passphrase in this file.")
@force_option
@existing_instance_options
def backup(
    file: Path, recipient: tuple[str, ...], passphrase_file: Path | None, force: bool
) -> None:
    """Write every row and every stored file into FILE; the server can keep running.

    A plain copy of the folder of a running server may be incomplete or damaged: stop the server
    before you copy, or use this command.

    Example: sketch-study backup chairs-2026-11-21.zip
    """
    from flask import current_app

    from basics.output import output_file
    from study_app.core.database import db
    from study_app.core.storage import missing_files
    from study_app.operations import backup as rules
    from study_app.operations.encryption import Encryption, passphrase_in

    encryption = Encryption(recipient, passphrase_in(passphrase_file) if passphrase_file else "")
    settings = current_app.config["SETTINGS"]
    with output_file(file, force) as path:
        rows, files = rules.write_sealed(db.engine, settings, path, encryption)
    click.echo(f"{file}: {counted(rows, 'row')} and {counted(files, 'file')}")
    if absent := missing_files.files(db.session(), settings):
        click.echo(missing_files.sentence(absent))


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--identity", type=EXISTING, help="File with the secret key of an encrypted backup.")
@click.option("--passphrase-file", type=EXISTING, help="File with its passphrase.")
@force_option
@settings_options
def restore(
    settings: Settings,
    file: Path,
    identity: Path | None,
    passphrase_file: Path | None,
    force: bool,
) -> None:
    """Restore an installation from the backup FILE; stop its server first.

    With --force, everything in the installation is replaced; its earlier content is saved in the
    instance folder as replaced.zip.

    Example: sketch-study restore chairs-2026-11-21.zip --instance fresh
    """
    from study_app import open_installation
    from study_app.core.database import db, opened
    from study_app.operations import backup_check, private_files
    from study_app.operations import restore as rules
    from study_app.operations.encryption import decrypted, passphrase_in

    passphrase = passphrase_in(passphrase_file) if passphrase_file else ""
    # Checked first, so that an invalid file does not create an installation.
    with (
        decrypted(file, identity, passphrase, settings.instance) as content,
        backup_check.checked(file, content) as backup,
        opened(open_installation(settings)),
    ):
        rows, files = rules.restore_checked(db.engine, settings, backup, force)
    private_files.protect(settings.instance)
    click.echo(f"{file}: {counted(rows, 'row')} and {counted(files, 'file')} restored")
