"""`sketch-study export`: a complete study in one folder."""

from pathlib import Path

import click

from basics.verbs import force_option
from study_app.commands.instance import existing_instance_options


@click.command()
@click.argument("study")
@click.option("--out", required=True, type=click.Path(path_type=Path), help="Folder to write.")
@click.option("--named", is_flag=True, help="Name researchers in the audit list.")
@force_option
@existing_instance_options
def export(study: str, out: Path, named: bool, force: bool) -> None:
    """Export a STUDY: raw rows, tidy tables, gold standards and materials, as a Psych-DS dataset.

    Participants appear under their pseudonyms; those who withdrew are left out. The same study
    always gives the same bytes. With --force, files of an earlier export in data and materials
    are deleted.

    Example: sketch-study export "Chairs and cars" --out chairs-export
    """
    from flask import current_app

    from basics.output import output_folder
    from study_app.accounts.audit import recording
    from study_app.core.database import own_session, writing
    from study_app.core.storage import missing_files
    from study_app.results.exports import archive, export_study
    from study_app.studies import studies

    with own_session() as session:
        chosen = studies.named(session, study).id
    withdrawn_before = archive.withdrawn(chosen)
    earlier = _files(out) if (out / "dataset_description.json").is_file() else set()
    with output_folder(out, force) as folder:
        settings = current_app.config["SETTINGS"]
        absent = export_study(settings, chosen, folder, _silent, named)
        archive.refuse_withdrawn(chosen, withdrawn_before)
        with writing() as session:
            recording.note_copy(session, "exported", "study", study, chosen, named)
        written = _files(folder)
    # Files of an earlier export must be deleted, e.g. scores of people who have withdrawn since.
    for name in earlier - written:
        if name.parts[0] in ("data", "materials"):
            (out / name).unlink()
    click.echo(f"{out}: {len(written)} files")
    if absent:
        click.echo(missing_files.sentence(absent))


def _files(folder: Path) -> set[Path]:
    return {path.relative_to(folder) for path in folder.rglob("*") if path.is_file()}


def _silent(_done: int, _total: int, _message: str = "") -> None:
    pass
