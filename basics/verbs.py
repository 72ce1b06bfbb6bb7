"""Shared by all commands: groups that import a command when it is called, and --force."""

import importlib
from typing import Any

import click

# Every command that writes files has this option; without it nothing is overwritten.
force_option = click.option("--force", is_flag=True, help="Overwrite existing files.")


class LazyGroup(click.Group):
    """A group of commands that imports a command only when it is called.

    Parameters
    ----------
    verbs : dict of str to str
        "module:attribute" of each command, by the verb that calls it.
    **attributes
        Other arguments of `click.Group`.
    """

    def __init__(self, verbs: dict[str, str], **attributes: Any) -> None:
        super().__init__(**attributes)
        self.verbs = verbs

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the verbs in the order of the table."""
        return list(self.verbs)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a verb; None if it does not exist."""
        if cmd_name not in self.verbs:
            return None
        module, attribute = self.verbs[cmd_name].split(":")
        command: click.Command = getattr(importlib.import_module(module), attribute)
        return command
