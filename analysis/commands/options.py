"""Options shared by commands: the random seed, names of systems, and a LaTeX table."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from analysis.reports.paper_table import PaperTable


def seed_option(text: str = "Random seed.") -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add --seed: the command receives `seed`, from 0."""
    return click.option(
        "--seed", type=click.IntRange(min=0), default=0, show_default=True, help=text
    )


def paper_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add --name (repeatable) and --latex; the command receives `name` and `latex`."""
    latex = click.option(
        "--latex",
        is_flag=True,
        help="Also write the table for a paper, as systems.tex.",
    )
    name = click.option(
        "--name",
        multiple=True,
        metavar="SYSTEM=LABEL",
        help="Name of a system in tables and figures; may be repeated.",
    )
    return name(latex(command))


def print_table(table: "PaperTable", out: Path) -> None:
    """Print a table and the folder of the results."""
    click.echo(table.text())
    click.echo(f"Written to {out}")
