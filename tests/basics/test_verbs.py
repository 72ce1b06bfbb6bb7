"""Commands that are imported when called, and the shared option --force."""

import click
import pytest

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
def say():
    """Say something."""


def test_a_command_is_imported_when_it_is_called():
    group = LazyGroup({"say": f"{__name__}:say", "gone": "no_such_module:gone"}, name="all")
    assert group.list_commands(click.Context(group)) == ["say", "gone"]
    assert group.get_command(click.Context(group), "say") is say
    assert group.get_command(click.Context(group), "other") is None
    with pytest.raises(ModuleNotFoundError):
        group.get_command(click.Context(group), "gone")


@pytest.mark.parametrize("group", [analyse, evaluate, cli])
def test_force_has_the_same_help_everywhere(group):
    wording = force_option(lambda: None).__click_params__[0].help
    options = [option for found in commands(group) for option in found.params]
    helps = {option.help for option in options if "--force" in option.opts}
    assert helps == {wording}
