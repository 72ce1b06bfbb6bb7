"""What the commands share: verbs that are imported when they are called, and --force."""

import importlib

import click

# Of every command that writes: whatever it would write over stays, unless this is given.
force_option = click.option("--force", is_flag=True, help="Overwrite what is already there.")


class LazyVerbs(click.Group):
    """A group whose commands are imported when they are named.

    Parameters
    ----------
    verbs : dict of str to str
        "module:attribute" of each command, by the verb that calls it.
    **attributes
        As `click.Group` takes them.
    """

    def __init__(self, verbs: dict[str, str], **attributes: object) -> None:
        super().__init__(**attributes)  # type: ignore[arg-type]  # click checks them
        self.verbs = verbs

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Give the verbs in the order of their table."""
        return list(self.verbs)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one verb; None where there is none of that name."""
        if cmd_name not in self.verbs:
            return None
        module, attribute = self.verbs[cmd_name].split(":")
        command: click.Command = getattr(importlib.import_module(module), attribute)
        return command
