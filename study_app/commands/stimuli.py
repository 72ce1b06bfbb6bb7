"""`sketch-study import`: pictures and drawings into a set of a study."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from study_app.commands.instance import instance_options

if TYPE_CHECKING:
    from study_app.stimuli.importing.report import ImportReport

SHOWN_REASONS = 20


@click.command("import")
@click.argument("set_name", metavar="SET")
@click.argument(
    "paths",
    metavar="PATH...",
    nargs=-1,
    required=True,
    type=click.Path(),
)
@click.option("--study", metavar="NAME", help="The study [if there is only one, or a new one].")
@click.option(
    "--limit", type=click.IntRange(1), metavar="N", help="Import the first N sketches only."
)
@click.option(
    "--sample", type=click.IntRange(1), metavar="N", help="Import exactly N, randomly sampled."
)
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="Random seed.")
@click.option(
    "--duplicates",
    type=click.Choice(["skip", "refuse"]),
    default="skip",
    show_default=True,
    help="Duplicate pictures: skip them, or cancel the import.",
)
@instance_options
def import_(
    set_name: str, paths: tuple[str, ...], study: str | None, duplicates: str, **chosen: Any
) -> None:
    """Import PATHs into SET: PNG, JPEG, WebP, GIF, TIFF, BMP, SVG, folders, .zip, .ndjson.

    Files that cannot be used are listed with the reason; the others are imported.

    Example: sketch-study import chairs sketches/chairs/ --limit 300
    """
    from flask import current_app

    from basics.progress import progress_bar
    from study_app.core.database import writing
    from study_app.stimuli.importing.run import ImportChoice, import_paths
    from study_app.stimuli.stimuli import SetNameMissing
    from study_app.studies import studies

    sample = _sample(**chosen)
    if not 0 < len(set_name.strip()) <= 120:
        raise SetNameMissing()
    with writing() as session:
        study_id = studies.named(session, study, make_first=True).id
    choice = ImportChoice(study_id, set_name, duplicates, **sample)
    with progress_bar("Importing") as progress:
        report = import_paths(current_app.config["SETTINGS"], choice, paths, progress)
    print_report(report)
    click.echo(f"{set_name}: {report.sentence()}")


def _sample(limit: int | None, sample: int | None, seed: int) -> dict[str, int | None]:
    """The number of pictures to import, and the seed if they are sampled."""
    if limit is not None and sample is not None:
        raise click.UsageError("Give --limit or --sample, not both.")
    return {"limit": limit} if sample is None else {"limit": sample, "seed": seed}


def print_report(report: ImportReport) -> None:
    """Print to standard error what was left out, and what was imported with a warning."""
    for what, kind in (("skipped", "skipped"), ("refused", "refused"), ("note", "remarks")):
        _print_notes(what, getattr(report, kind), report.count(kind))


def _print_notes(what: str, notes: Sequence[Mapping[str, str]], count: int) -> None:
    for note in notes[:SHOWN_REASONS]:
        click.echo(f"{what}: {note['place']} {note['reason']}", err=True)
    if count > SHOWN_REASONS:
        click.echo(f"{what}: {count - SHOWN_REASONS} more", err=True)
