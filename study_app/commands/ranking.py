"""`sketch-study import-ranking`: a whole ranking task from one folder."""

import click

from study_app.commands.instance import instance_options
from study_app.commands.stimuli import print_report


@click.command("import-ranking")
@click.argument("task", metavar="TASK")
@click.argument("paths", metavar="FOLDER...", nargs=-1, required=True, type=click.Path())
@click.option(
    "--scale-best",
    required=True,
    type=click.Choice(["low", "high"]),
    help="End of the scale that means most similar.",
)
@click.option(
    "--points",
    type=click.IntRange(2, 11),
    default=7,
    show_default=True,
    help="Points of the scale.",
)
@click.option("--study", metavar="NAME", help="The study [if there is only one, or a new one].")
@instance_options
def import_ranking(
    task: str, paths: tuple[str, ...], scale_best: str, points: int, study: str | None
) -> None:
    """Import FOLDER as the ranking task TASK: sketches/, and a folder of images for each sketch.

    A folder of images has the name of its sketch, without the file extension.

    Example: sketch-study import-ranking similarity my-task/ --scale-best low
    """
    from flask import current_app

    from basics.plurals import counted
    from basics.progress import progress_bar
    from study_app.core.database import writing
    from study_app.ranking.refusals import ListUnclear
    from study_app.ranking.tasks.folder_import import choice_of, import_task, layout_of
    from study_app.stimuli.importing.refusals import FileRefused
    from study_app.stimuli.importing.sources import files_of
    from study_app.studies import studies

    try:
        files = files_of(paths)
    except FileRefused as refusal:
        raise ListUnclear(str(refusal)) from refusal
    # Checked before a study is created.
    layout_of(files)
    with writing() as session:
        study_id = studies.named(session, study, make_first=True, methods="ranking").id
    choice = choice_of(task, scale_best, points)
    with progress_bar("Importing") as progress:
        report, _, count = import_task(
            current_app.config["SETTINGS"], study_id, choice, files, progress
        )
    print_report(report)
    queries = counted(count, "query", "queries")
    click.echo(f"{task}: {queries}; {report.sentence()}")
