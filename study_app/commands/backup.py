"""`sketch-study backup` and `restore`: a whole installation in one file."""

from pathlib import Path

import click

from basics.plurals import counted
from basics.verbs import force_option
from study_app.commands.instance import instance_options


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@force_option
@instance_options
def backup(file: Path, force: bool) -> None:
    """Write every row and every stored file into FILE; the server can keep running.

    A plain copy of the folder of a running server may be incomplete or damaged: stop the server
    before you copy, or use this command.

    Example: sketch-study backup chairs-2026-11-21.zip
    """
    from flask import current_app

    from basics.output import output_file
    from study_app.core.database import db
    from study_app.operations import backup as rules
    from study_app.storage import missing_files

    with output_file(file, force) as path:
        rows, files = rules.write(db.engine, current_app.config["SETTINGS"].instance, path)
    click.echo(f"{file}: {counted(rows, 'row')} and {counted(files, 'file')}")
    if absent := missing_files.files(db.session(), current_app.config["SETTINGS"]):
        click.echo(missing_files.sentence(absent))


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@force_option
@instance_options
def restore(file: Path, force: bool) -> None:
    """Restore the installation that `backup` wrote into FILE; stop its server first.

    With --force everything in the installation is replaced; its previous content is saved in the
    instance folder as replaced.zip.

    Example: sketch-study restore chairs-2026-11-21.zip --instance fresh
    """
    from flask import current_app

    from study_app.core.database import db
    from study_app.operations import restore as rules

    db.session.remove()
    instance = current_app.config["SETTINGS"].instance
    rows, files = rules.restore(db.engine, instance, file, force)
    click.echo(f"{file}: {counted(rows, 'row')} and {counted(files, 'file')} restored")
