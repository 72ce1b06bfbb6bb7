"""`sketch-study record`: record photos of a table in a sitting."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from basics.plurals import counted
from basics.system_messages import system_reason
from basics.wordings import Wording
from printables.errors import PaperError
from study_app.commands.instance import existing_instance_options
from study_app.core.errors import NotFound, StudyError


class Unplanned(StudyError):
    """The sitting does not exist."""

    def __init__(self, missing: NotFound) -> None:
        sentence = str(missing).rstrip(".")
        super().__init__(f"{sentence}; give the assessor, e.g. --assessor P01, to plan it now.")


@click.command()
@click.argument("sitting", metavar="SITTING")
@click.argument("photos", metavar="PHOTO...", nargs=-1, required=True, type=click.Path())
@click.option("--study", metavar="NAME", help="The study [the only one].")
@click.option("--one-group", is_flag=True, help="Each photo shows one group, not a table.")
@click.option(
    "--assessor", metavar="CODE", help="Plan the sitting if it does not exist; P01+P02 for a pair."
)
@click.option("--set", "set_name", metavar="SET", help="Set of a new sitting [from the photos].")
@click.option("--deck", metavar="LETTER", help="Deck of a new sitting [from the photos].")
@click.option("--finish", is_flag=True, help="Finish the sitting afterwards.")
@click.option(
    "--missing", metavar="REASON", default="", help="Why cards are missing (required to finish)."
)
@existing_instance_options
def record(
    sitting: str,
    photos: tuple[str, ...],
    study: str | None,
    one_group: bool,
    finish: bool,
    missing: str,
    **new: Any,
) -> None:
    """Record PHOTOs of sorted cards in SITTING, and check that every card is in one group.

    Overlapping photos of one table are joined by the cards that they share; a header card numbers
    its group. Recording the same photos again changes nothing.

    Example: sketch-study record T012 table-left.jpg table-right.jpg
    """
    from flask import current_app

    from basics.progress import progress_bar
    from study_app.core.database import own_session, writing
    from study_app.sittings import sittings
    from study_app.sittings.photos import photo_recording
    from study_app.sittings.photos.photo_numbers import listed
    from study_app.sittings.recording import closure
    from study_app.studies import studies

    contents = [(path, _content(path)) for path in photos]
    with own_session() as session:
        study_id = studies.named(session, study).id
    if not new["assessor"]:
        _refuse_unplanned(study_id, sitting)
    made = bool(new["assessor"]) and _plan(study_id, sitting, contents, new)
    with _removed_if_refused(study_id, sitting, made), progress_bar("Reading") as progress:
        found = photo_recording.record_photos(
            current_app.config["SETTINGS"], study_id, sitting, contents, one_group, progress
        )
    for note in found.notes:
        click.echo(note)
    click.echo(
        f"{found.placed} of {counted(found.cards, 'card')} in {counted(found.groups, 'group')}."
    )
    if found.missing:
        cards = "card" if len(found.missing) == 1 else "cards"
        click.echo(f"In no group: {cards} {listed(found.missing)}.")
    else:
        click.echo("Every card is in exactly one group.")
    if finish:
        with writing() as session:
            ended = sittings.find(session, study_id, sitting, lock=True)
            closure.finish(session, ended, missing)
        click.echo(f"Sitting {sitting} is finished.")


def _refuse_unplanned(study_id: int, written: str) -> None:
    from study_app.core.database import db
    from study_app.core.errors import NotFound
    from study_app.sittings import sittings

    try:
        sittings.find(db.session(), study_id, written)
    except NotFound as missing:
        raise Unplanned(missing) from missing


@contextmanager
def _removed_if_refused(study_id: int, written: str, made: bool) -> Iterator[None]:
    """Delete a newly planned sitting if its photos are refused."""
    from study_app.core.database import writing
    from study_app.sittings import sittings

    try:
        yield
    except (StudyError, PaperError):
        if made:
            with writing() as session:
                sittings.remove(session, sittings.find(session, study_id, written, lock=True))
        raise


def _plan(
    study_id: int, written: str, contents: Sequence[tuple[str, bytes]], new: Mapping[str, Any]
) -> bool:
    """Create the sitting if it does not exist; returns whether it was created."""
    from printables.cards.codes import deck_number
    from study_app.core.database import own_session, writing
    from study_app.core.errors import NotFound
    from study_app.sittings import assessors, sittings
    from study_app.sittings.photos import photo_recording
    from study_app.stimuli import stimuli
    from study_app.studies import studies

    try:
        with own_session() as session:
            sittings.find(session, study_id, written)
        return False
    except NotFound:
        number = sittings.number_of(written)
    deck = deck_number(new["deck"]) if new["deck"] else None
    if new["set_name"]:
        with own_session() as session:
            set_id = stimuli.set_named(session, study_id, new["set_name"]).id
        deck = deck or 1
    else:
        set_id, seen = photo_recording.recognise(study_id, contents)
        deck = deck or seen
    with writing() as session:
        wanted = sittings.Plan(
            [stimuli.get_set(session, study_id, set_id)],
            assessors.read_lines(new["assessor"]),
            (deck,),
        )
        sittings.plan(session, studies.get(session, study_id), wanted, number)
    return True


def _content(path: str) -> bytes:
    from printables.reading.photos.photo import MOST_BYTES

    try:
        with Path(path).open("rb") as file:
            return file.read(MOST_BYTES + 1)
    except OSError as error:
        raise PaperError(
            Wording("cannot be opened (%(reason)s)", reason=system_reason(error)), path
        ) from error
