"""--similarity and --distance: either or neither, never both."""

import click
import pytest
from click.testing import CliRunner

from analysis.commands.directions import direction_options


@click.command()
@direction_options
def asked(direction):
    """Print the chosen direction."""
    click.echo(direction)


@pytest.mark.parametrize(
    ("options", "direction"),
    [(["--similarity"], "similarity"), (["--distance"], "distance"), ([], "")],
)
def test_the_direction_is_that_of_the_option(options, direction):
    assert CliRunner().invoke(asked, options).output.strip() == direction


def test_both_directions_are_an_error():
    done = CliRunner().invoke(asked, ["--similarity", "--distance"])
    assert done.exit_code == 2 and "not both" in done.output
