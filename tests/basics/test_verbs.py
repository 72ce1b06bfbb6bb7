"""Verbs that are imported when they are called, and the one --force."""

import click
import pytest

from analysis.cli import analyse, evaluate
from basics.verbs import LazyVerbs, force_option
from study_app.cli import cli


def commands(group):
    """Every command below a group."""
    for name in group.list_commands(click.Context(group)):
        found = group.get_command(click.Context(group), name)
        if isinstance(found, click.Group):
            yield from commands(found)
        else:
            yield found


@click.command()
def say():
    """Say something."""


def test_a_verb_is_imported_when_it_is_called():
    group = LazyVerbs({"say": f"{__name__}:say", "gone": "no_such_module:gone"}, name="all")
    assert group.list_commands(click.Context(group)) == ["say", "gone"]
    assert group.get_command(click.Context(group), "say") is say
    assert group.get_command(click.Context(group), "other") is None
    with pytest.raises(ModuleNotFoundError):
        group.get_command(click.Context(group), "gone")


@pytest.mark.parametrize("group", [analyse, evaluate, cli])
def test_every_force_has_one_wording(group):
    wording = force_option(lambda: None).__click_params__[0].help
    options = [option for found in commands(group) for option in found.params]
    told = {option.help for option in options if "--force" in option.opts}
    assert told == {wording}
