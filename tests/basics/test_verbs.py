"""Commands that are imported when called, and the shared option --force."""

import click
import pytest
from click.testing import CliRunner

from analysis.cli import analyse, evaluate
from basics.verbs import LazyGroup, force_option
from study_app.cli import cli


def commands(group):
    """All commands of a group and its subgroups."""
    for name in group.list_commands(click.Context(group)):
        found = group.get_command(click.Context(group), name)
        if isinstance(found, click.Group):
            yield from commands(found)
        else:
            yield found


@click.command()
@click.option("--times", "-t", type=click.IntRange(1, 5))
@click.option("--as", "kind", type=click.Choice(["word", "song"]))
def say(times, kind):
    """Say something."""
    if kind:
        raise click.UsageError("A song\nneeds notes.")


def test_a_command_is_imported_when_it_is_called():
    group = LazyGroup({"say": f"{__name__}:say", "gone": "no_such_module:gone"}, name="all")
    assert group.list_commands(click.Context(group)) == ["say", "gone"]
    assert group.get_command(click.Context(group), "say") is say
    assert group.get_command(click.Context(group), "other") is None
    with pytest.raises(ModuleNotFoundError):
        group.get_command(click.Context(group), "gone")


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["say", "-t", "0"], "all say: --times must be 1 to 5, not 0. See all say --help."),
        (["say", "-t", "x"], "'x' is not a valid integer"),
        (["say", "--loud"], "all say: No such option"),
        (["say", "-t"], "all say: Option '-t' requires an argument. See all say --help."),
        (["say", "--as", "word"], "all say: A song needs notes. See all say --help."),
        (["sing"], "all: No such command 'sing'. See all --help."),
        (["--loud", "say"], "all: No such option"),
    ],
)
def test_wrong_usage_is_one_line_with_exit_status_2(arguments, line):
    done = CliRunner().invoke(LazyGroup({"say": f"{__name__}:say"}, name="all"), arguments)
    assert done.exit_code == 2 and not done.stdout
    assert line in done.stderr and done.stderr.count("\n") == 1


def test_a_group_without_a_command_shows_its_help():
    done = CliRunner().invoke(LazyGroup({"say": f"{__name__}:say"}, name="all"), [])
    assert "Say something." in done.output


@pytest.mark.parametrize("group", [analyse, evaluate, cli])
def test_force_has_the_same_help_everywhere(group):
    wording = force_option(lambda: None).__click_params__[0].help
    options = [option for found in commands(group) for option in found.params]
    helps = {option.help for option in options if "--force" in option.opts}
    assert helps == {wording}
