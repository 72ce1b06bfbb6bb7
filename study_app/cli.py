"""The command `sketch-study`; each subcommand is loaded when it is called."""

import gc
import io
import sys
from collections.abc import Sequence
from typing import NoReturn

import click

from basics.errors import Refusal
from basics.verbs import LazyGroup
from study_app.core import system_errors
from study_app.core.errors import StudyError

# Loading a command creates many objects and no garbage; to look for it after every 700, as Python
# does, takes a sixth of the time of a short command.
OBJECTS_BETWEEN_COLLECTIONS = 10_000
VERBS = {
    "analyse": "analysis.cli:analyse",
    "evaluate": "analysis.cli:evaluate",
    "read": "study_app.commands.read:read",
    "demo": "study_app.commands.demo:demo",
    "serve": "study_app.commands.serve:serve",
    "work": "study_app.commands.work:work",
    "sign-in-link": "study_app.commands.serve:sign_in_link",
    "import": "study_app.commands.stimuli:import_",
    "import-ranking": "study_app.commands.ranking:import_ranking",
    "print": "study_app.commands.cards:print_",
    "record": "study_app.commands.record:record",
    "exclude": "study_app.commands.people:exclude",
    "withdraw": "study_app.commands.people:withdraw",
    "export": "study_app.commands.export:export",
    "backup": "study_app.commands.backup:backup",
    "restore": "study_app.commands.backup:restore",
    "simulate": "study_app.commands.simulate:simulate",
}


@click.command(cls=LazyGroup, verbs=VERBS, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="sketch-study")
def cli() -> None:
    """From sketches on a table to a gold standard, and systems measured against it."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command; an error is one line on standard error, and exit status 1."""
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # names of files may have characters that the terminal, or Unicode, does not have
            stream.reconfigure(errors="backslashreplace")
    try:
        cli.main(args=arguments, prog_name="sketch-study")
    except (StudyError, Refusal) as refusal:
        _refuse(refusal)
    except Exception as fault:
        sentence = system_errors.sentence(fault)
        if sentence is None:
            raise
        _refuse(sentence)


def _refuse(error: object) -> NoReturn:
    # such as a line break in the name of a file
    line = "".join(c if ord(c) >= ord(" ") else repr(c)[1:-1] for c in str(error))
    # findings about files have neither a capital nor a full stop: pages show them after a colon
    if isinstance(error, Refusal) and error.file is None:
        line = line[:1].upper() + line[1:]
    stop = "" if line.endswith((".", "!", "?", "…")) else "."
    print(f"sketch-study: {line}{stop}", file=sys.stderr)
    sys.exit(1)
