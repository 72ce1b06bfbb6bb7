"""`sketch-study demo`: a small complete study, drawn, sorted and ranked by a program, then
served."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from study_app.commands.serve import PORT
from study_app.commands.threads import one_thread

if TYPE_CHECKING:
    from flask import Flask

    from study_app.core.config import Settings

SEED = 1


@click.command()
@click.option(
    "--out",
    default="demo-study",
    show_default=True,
    type=click.Path(path_type=Path),
    help="Folder to create.",
)
@click.option("--no-serve", is_flag=True, help="Do not serve it afterwards.")
@click.option(
    "--port", default=8000, show_default=True, type=PORT, help="Port to serve on; 0: a free one."
)
def demo(out: Path, no_serve: bool, port: int) -> None:
    """Create a small complete study, print its results, and serve it.

    Simulated sketches are printed as cards, sorted by simulated assessors, photographed on
    rendered tables and read from the photos; simulated participants use the real ranking pages.
    Everything is marked as simulated.

    Example: sketch-study demo --out demo-study --no-serve
    """
    one_thread()
    from study_app import create_app
    from study_app.commands.serve import Plan, run
    from study_app.core.database import opened
    from study_app.simulation.demo import AlreadyThere

    if out.exists():
        raise AlreadyThere(out)
    started = time.monotonic()
    with _folder_for(out) as folder:
        app = create_app(_settings(folder))
        with opened(app):
            _make(app, folder)
    click.echo(f"Made in {time.monotonic() - started:.0f} s: {out}")
    if not no_serve:
        run(create_app(_settings(out)), Plan(port=port))


def _settings(folder: Path) -> Settings:
    """The demo has its own database and files, whatever the environment specifies."""
    from study_app.core.config import Settings

    return Settings.of(folder, f"sqlite:///{folder.resolve() / 'study.sqlite3'}", files="")


@contextmanager
def _folder_for(out: Path) -> Iterator[Path]:
    """A temporary folder that becomes `out` at the end; deleted on errors."""
    out.parent.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix=".sketch-study-", dir=out.parent))
    try:
        yield folder
        folder.rename(out)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _make(app: Flask, folder: Path) -> None:
    import numpy as np

    from basics.output import output_folder
    from study_app.results.exports import export_study
    from study_app.simulation.demo import messages, study

    rng = np.random.default_rng(SEED)
    study_id = study.make()
    names = study.draw_and_import(study_id, folder / "sketches", rng)
    click.echo(messages.drawn(names))
    cut, pages = study.print_cards(study_id, folder / "cards")
    click.echo(messages.printed(cut, pages))
    tables = study.sort_and_photograph(study_id, folder / "photos", cut, rng)
    click.echo(messages.read_back(tables))
    task_id = study.rank(study_id)
    for line in messages.gold(study_id, task_id):
        click.echo(line)
    found = study.measure_systems(study_id, task_id, folder / "systems", rng)
    click.echo(messages.systems(found))
    with output_folder(folder / "export") as export:
        export_study(app.config["SETTINGS"], study_id, export, _silent)
    click.echo(messages.exported(folder / "export"))


def _silent(_done: int, _total: int, _message: str = "") -> None:
    pass
