"""Options for names of systems and the LaTeX table."""

import click
import pytest
from click.testing import CliRunner

from analysis.cli import evaluate
from analysis.commands.options import paper_options


@click.command()
@paper_options
def asked(name, latex):
    """Print the options."""
    click.echo(f"{name} {latex}")


def test_names_may_be_repeated_and_latex_is_off_by_default():
    assert CliRunner().invoke(asked).output == "() False\n"
    done = CliRunner().invoke(asked, ["--name", "a=A", "--latex", "--name", "b=B"])
    assert done.output == "('a=A', 'b=B') True\n"


@pytest.mark.parametrize("verb", ["ranking", "clustering", "retrieval"])
def test_a_random_seed_is_not_negative(verb):
    done = CliRunner().invoke(evaluate, [verb, "x.csv", "--out", "out", "--seed", "-1"])
    assert done.exit_code == 2 and "--seed must be at least 0, not -1." in done.output
