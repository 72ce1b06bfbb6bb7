"""`sketch-study export`: everything of a study in one folder."""

from pathlib import Path

import click

from study_app.commands.instance import instance_options


@click.command()
@click.argument("study")
@click.option("--out", required=True, type=click.Path(path_type=Path), help="Folder to write.")
@click.option("--force", is_flag=True, help="Write over files that are there.")
@instance_options
def export(study, out, force):
    """Export a STUDY: raw rows, tidy tables, gold standards and materials, as a Psych-DS dataset.

    Pseudonyms only; who withdrew is absent. The same study gives the same bytes.

    Example: sketch-study export "Chairs and cars" --out chairs-export
    """
    from flask import current_app

    from analysis.files.output import output_folder
    from study_app import studies
    from study_app.db import db
    from study_app.exports import export_study

    chosen = studies.named(db.session, study).id
    with output_folder(out, force) as folder:
        export_study(db.session, current_app.config["SETTINGS"], chosen, folder, _silent)
        count = sum(1 for path in folder.rglob("*") if path.is_file())
    click.echo(f"{out}: {count} files")


def _silent(_done, _total, _message=""):
    pass
