"""`sketch-study simulate`: simulated participants, marked as such in every row."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click


@click.group()
def simulate() -> None:
    """Let simulated participants take part, marked as simulated in every row."""


@simulate.command()
@click.option(
    "--participants",
    type=click.IntRange(1, 10_000),
    default=10,
    show_default=True,
    help="Number of participants.",
)
@click.option(
    "--random-clickers",
    type=click.IntRange(0),
    default=0,
    help="How many of them score at random.",
)
@click.option(
    "--straight-liners",
    type=click.IntRange(0),
    default=0,
    help="How many of them always give the same score.",
)
@click.option("--every-ending", is_flag=True, help="Add one participant for each other ending.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="Random seed.")
@click.option("--study", metavar="NAME", help="Study, if there are several.")
@click.option("--task", metavar="NAME", help="Ranking task, if the study has several.")
@click.option(
    "--link",
    metavar="URL",
    help="A link for simulated participants to an instance that is being served: an open one, or a "
    "platform's with its parameters.",
)
@click.option("--instance", metavar="DIR", help="Folder of the installation [./instance].")
@click.option("--database", metavar="URL", help="Database address, for PostgreSQL.")
def ranking(
    participants: int, seed: int, link: str | None, every_ending: bool, **chosen: Any
) -> None:
    """Simulate participants who rank images through the real pages, over HTTP.

    Without --link a temporary server is started on the instance. A study with scores of real people
    is refused.

    Example: sketch-study simulate ranking --participants 28 --seed 7
    """
    from basics.plurals import counted
    from study_app.participation.endings.endings import NAMES
    from study_app.simulation import ENDINGS, NEEDS, simulate_ranking

    behaviours = ["random_clicker"] * chosen.pop("random_clickers")
    behaviours += ["straight_liner"] * chosen.pop("straight_liners")
    behaviours += [*ENDINGS] if every_ending else []
    if len(behaviours) > participants:
        raise click.UsageError(f"--participants must be at least {len(behaviours)} for these.")
    behaviours += ["careful"] * (participants - len(behaviours))
    with _served_link(link, **chosen) as address:
        ended = Counter(one.ending for one in simulate_ranking(address, behaviours, seed, _say))
    people = counted(participants, "simulated participant")
    click.echo(f"{people} took part; their scores are marked simulated.")
    click.echo(", ".join(f"{NAMES[ending]} {count}" for ending, count in ended.items()))
    for ending, needed in NEEDS.items():
        if ending in behaviours and ending not in ended:
            click.echo(f"None {NAMES[ending]}: the task has no {needed}.")


def _say(done: int, total: int) -> None:
    click.echo(f"{done} of {total}", err=True)


@contextmanager
def _served_link(
    link: str | None,
    study: str | None,
    task: str | None,
    instance: str | None,
    database: str | None,
) -> Iterator[str]:
    """The given link, or one to a temporary server."""
    if link:
        yield link
        return
    from study_app import create_app
    from study_app.core.config import Settings
    from study_app.core.database import opened
    from study_app.operations.http.server import serving

    app = create_app(Settings.of(instance, database))
    with opened(app):
        token = _make_link(study, task)
        with serving(app) as address:
            yield f"{address}/take-part/{token}/"


def _make_link(study_name: str | None, task_name: str | None) -> str:
    from study_app.core.database import writing
    from study_app.participation.links import invitations
    from study_app.ranking import task_named
    from study_app.studies import studies

    with writing() as session:
        study = studies.named(session, study_name)
        task = task_named(session, study.id, task_name)
        return invitations.invite(session, task, "open", "simulated")[0].token
