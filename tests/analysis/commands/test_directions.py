"""--similarity and --distance: one, the other, or neither; never both."""

import click
import pytest
from click.testing import CliRunner

from analysis.commands.directions import direction_options


@click.command()
@direction_options
def asked(direction):
    """Say which direction was chosen."""
    click.echo(direction)


@pytest.mark.parametrize(
    ("options", "said"),
    [(["--similarity"], "similarity"), (["--distance"], "distance"), ([], "")],
)
def test_the_direction_is_what_was_said(options, said):
    assert CliRunner().invoke(asked, options).output.strip() == said


def test_both_are_refused():
    done = CliRunner().invoke(asked, ["--similarity", "--distance"])
    assert done.exit_code == 2 and "not both" in done.output
