"""Options that the verbs of systems share: what systems are called, and the table for a paper."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from analysis.reports.paper_table import PaperTable


def paper_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add --name, repeated, and --latex: the command gets `name` and `latex`."""
    latex = click.option(
        "--latex",
        is_flag=True,
        help="Write the table as systems.tex too, with letters: systems that share one do not "
        "differ significantly (Holm-corrected p < .05).",
    )
    name = click.option(
        "--name",
        multiple=True,
        metavar="SYSTEM=LABEL",
        help="What a system is called in tables and figures; may be repeated.",
    )
    return name(latex(command))


def tell(table: "PaperTable", out: Path) -> None:
    """Print a table, and where the results are."""
    click.echo(table.text())
    click.echo(f"Written to {out}")
