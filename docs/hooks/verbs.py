"""A page for each verb of the command line, made from its own help."""

import inspect
from functools import cache

import click

from study_app.cli import cli

PROGRAM = "sketch-study"
EXAMPLE = "Example: "


def index():
    """The page that lists every verb."""
    rows = [f"| [`{name}`]({_link(name)}) | {_summary(verb)} |" for name, verb in _verbs()]
    text = (
        "# Commands\n\nOne command, `sketch-study`. Every verb explains itself with "
        "`sketch-study VERB --help`; these pages are made from the same text.\n\n"
        "Exit status: 0 done; 1 refused, 2 wrong usage, each with one line on standard error.\n\n"
        "| verb | does |\n|---|---|\n"
    )
    return text + "\n".join(rows) + "\n"


@cache
def pages():
    """Each verb's page, by its path in the site."""
    return {f"reference/{_link(name)}": _page(name, verb) for name, verb in _verbs()}


def _link(name):
    return f"commands/{name.replace(' ', '-')}.md"


@cache
def _verbs():
    """Every verb with its name, those of groups behind their group."""
    context = click.Context(cli, info_name=PROGRAM)
    found = []
    for name in cli.list_commands(context):
        verb = cli.get_command(context, name)
        found.append((name, verb))
        if isinstance(verb, click.Group):
            inner = click.Context(verb, parent=context, info_name=name)
            found += [
                (f"{name} {n}", verb.get_command(inner, n)) for n in verb.list_commands(inner)
            ]
    return tuple(found)


def _paragraphs(verb):
    """The paragraphs of a verb's help, and its examples."""
    text = inspect.cleandoc(verb.help or "").split("\n\n")
    told = [" ".join(part.split()) for part in text]
    examples = [part.removeprefix(EXAMPLE) for part in told if part.startswith(EXAMPLE)]
    return [part for part in told if not part.startswith(EXAMPLE)], examples


def _summary(verb):
    return _escaped(_paragraphs(verb)[0][0])


def _escaped(text):
    """Text that Markdown shows as it is, also in a table."""
    for sign in "\\`*_<>|[]":
        text = text.replace(sign, f"\\{sign}" if sign not in "<>" else f"&{'lg'[sign == '>']}t;")
    return text


def _page(name, verb):
    told, examples = _paragraphs(verb)
    context = click.Context(verb, info_name=f"{PROGRAM} {name}")
    usage = " ".join(verb.collect_usage_pieces(context))
    parts = [f"# {name}", *map(_escaped, told)]
    parts.append(f"```text\n{PROGRAM} {name} {usage}\n```")
    if examples:
        parts.append("For example:\n\n```text\n" + "\n".join(examples) + "\n```")
    if isinstance(verb, click.Group):
        names = verb.list_commands(context)
        parts.append("\n".join(f"- [`{name} {n}`]({name}-{n}.md)" for n in names))
    else:
        parts.append(_options(verb, context))
    return "\n\n".join(parts) + "\n"


def _options(verb, context):
    records = [p.get_help_record(context) for p in verb.get_params(context)]
    rows = [f"| `{names}` | {_escaped(told)} |" for names, told in filter(None, records)]
    return "\n".join(["| option | |", "|---|---|", *(row.replace(" / ", " · ") for row in rows)])
