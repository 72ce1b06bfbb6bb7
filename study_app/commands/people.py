"""`sketch-study exclude` and `withdraw`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import click

from study_app.commands.instance import existing_instance_options
from study_app.core.errors import StudyError

if TYPE_CHECKING:
    from study_app.models.exclusion import Exclusion
    from study_app.participation.people.exclusion import Excluded

TRIAL = re.compile(r"(?P<person>.+):(?P<trial>[1-9]\d{0,8})")
SITTING = re.compile(r"[Tt]\d+")
study_option = click.option("--study", metavar="NAME", help="The study [the only one].")


class NotExcluded(StudyError):
    """There is no exclusion to undo."""

    def __init__(self, what: str) -> None:
        super().__init__(f"{what} is not excluded by itself, so there is nothing to undo.")


@click.command()
@click.argument("what", metavar="WHAT")
@study_option
@click.option(
    "--reason", metavar="TEXT", default="", help="The reason; it is part of every export."
)
@click.option("--undo", is_flag=True, help="Undo the exclusion.")
@existing_instance_options
def exclude(what: str, study: str | None, reason: str, undo: bool) -> None:
    """Exclude WHAT from every result: a person (P04), a sitting (T012) or a trial (P04:3).

    Nothing is deleted: raw rows are exported with the reason, and --undo reverts it.

    Example: sketch-study exclude P04 --reason "did not understand the task"
    """
    from study_app.core.database import writing
    from study_app.participation.people import exclusion
    from study_app.studies import studies

    with writing() as session:
        study_id = studies.named(session, study).id
        chosen = _excluded(study_id, what)
        if undo:
            for one in exclusion.current(session, study_id, chosen) or _nothing(what):
                exclusion.undo(session, study_id, one.id)
        else:
            exclusion.exclude(session, study_id, chosen, reason)
    click.echo(f"{what} is {'included again' if undo else 'excluded'}.")


@click.command()
@click.argument("what", metavar="WHAT")
@study_option
@existing_instance_options
def withdraw(what: str, study: str | None) -> None:
    """Delete everything of WHAT permanently: a person (P04) or a sitting at a table (T012).

    Rows, photos, names and notes are deleted, with exports on the server and copies that an upgrade
    or a restore saved. Earlier backups and copies of exports still contain them.

    Example: sketch-study withdraw P04
    """
    from flask import current_app

    from study_app.core.database import db
    from study_app.participation.people.people import person_named
    from study_app.sittings import sittings
    from study_app.sittings import withdrawal as tables
    from study_app.studies import studies
    from study_app.studies.people import withdrawal

    study_id = studies.named(db.session(), study).id
    with withdrawal.erasing(current_app.config["SETTINGS"], study_id, what) as erasure:
        if SITTING.fullmatch(what):
            sitting = sittings.find(erasure.session, study_id, what, lock=True)
            erasure.photos += tables.withdraw_sitting(erasure.session, sitting)
        else:
            person = person_named(erasure.session, study_id, what)
            erasure.photos += withdrawal.withdraw_person(erasure.session, person)
    click.echo(f"{what} is withdrawn. Results are computed without it from now on.")


def _excluded(study_id: int, what: str) -> Excluded:
    """WHAT as an `Excluded`."""
    from study_app.core.database import db
    from study_app.participation.people.exclusion import Excluded
    from study_app.participation.people.people import person_named, web_sitting_of
    from study_app.sittings import sittings

    session = db.session()
    if SITTING.fullmatch(what):
        return Excluded(sitting_id=sittings.find(session, study_id, what).id)
    if trial := TRIAL.fullmatch(what):
        person = person_named(session, study_id, trial["person"])
        number = int(trial["trial"])
        return Excluded(web_sitting_id=web_sitting_of(session, person).id, trial=number)
    return Excluded(participant_id=person_named(session, study_id, what).id)


def _nothing(what: str) -> list[Exclusion]:
    raise NotExcluded(what)
