"""Shared by all commands: groups that import a command when it is called, wrong usage in one line,
and --force."""

import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

# Every command that writes files has this option; without it nothing is overwritten.
force_option = click.option("--force", is_flag=True, help="Overwrite existing files.")


class WrongUsage(click.ClickException):
    """A command was called in a wrong way; the message is one line."""

    exit_code = 2

    def show(self, file: Any = None) -> None:
        """Print the line on standard error."""
        print(self.message, file=file or sys.stderr)


class LazyGroup(click.Group):
    """A group of commands that imports a command only when it is called.

    Wrong usage of a command is reported in one line.

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

    def make_context(self, *arguments: Any, **options: Any) -> click.Context:
        """Parse the group's own options."""
        with _wrong_usage_in_one_line():
            return super().make_context(*arguments, **options)

    def invoke(self, ctx: click.Context) -> Any:
        """Call the command."""
        with _wrong_usage_in_one_line(ctx):
            return super().invoke(ctx)


@contextmanager
def _wrong_usage_in_one_line(ctx: click.Context | None = None) -> Iterator[None]:
    try:
        yield
    except click.UsageError as wrong:
        # a group without a command prints its help
        if type(wrong).__name__ == "NoArgsIsHelpError":
            raise
        raise WrongUsage(_line(wrong, ctx)) from wrong


def _line(wrong: click.UsageError, ctx: click.Context | None) -> str:
    """The command, what is wrong, and where its options are explained."""
    command = "sketch-study"
    if wrong.ctx:
        command = wrong.ctx.command_path
    elif ctx:
        # a missing value is reported without the command that it is missing for
        command = f"{ctx.command_path} {ctx.invoked_subcommand}"
    sentence = _out_of_range(wrong) or " ".join(wrong.format_message().split())
    return f"{command}: {sentence} See {command} --help."


def _out_of_range(wrong: click.UsageError) -> str:
    """A sentence for a number out of range; empty for all else."""
    number, _, said = wrong.message.partition(" is not in the range ")
    if not said or not isinstance(wrong, click.BadParameter) or wrong.param is None:
        return ""
    kind = wrong.param.type
    if not isinstance(kind, click.IntRange | click.FloatRange):
        return ""
    name = max(wrong.param.opts, key=len)
    most = "" if kind.max is None else f" to {kind.max}"
    return f"{name} must be {'' if most else 'at least '}{kind.min}{most}, not {number}."
