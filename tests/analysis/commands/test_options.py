"""Names of systems and the LaTeX table are asked for in one way."""

import click
from click.testing import CliRunner

from analysis.commands.options import paper_options


@click.command()
@paper_options
def asked(name, latex):
    """Say what was asked for."""
    click.echo(f"{name} {latex}")


def test_names_may_be_repeated_and_latex_is_off_at_first():
    assert CliRunner().invoke(asked).output == "() False\n"
    done = CliRunner().invoke(asked, ["--name", "a=A", "--latex", "--name", "b=B"])
    assert done.output == "('a=A', 'b=B') True\n"
