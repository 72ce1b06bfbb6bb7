"""The pages that are made from the code when the site is built: verbs, functions, the drawing."""

import sys
from pathlib import Path

from mkdocs.structure.files import File

PROJECT = Path(__file__).resolve().parent.parent.parent
if str(PROJECT) not in sys.path:
    sys.path.insert(0, str(PROJECT))

import drawing  # noqa: E402
import functions  # noqa: E402
import verbs  # noqa: E402

COMMANDS = "reference/commands.md"


def on_config(config):
    """Give every generated page its place in the navigation."""
    sections = {COMMANDS: ("Commands", verbs.pages()), **functions.sections()}
    for part in config.nav:
        for title, pages in part.items():
            if isinstance(pages, list):
                part[title] = [_expanded(page, sections) for page in pages]
    return config


def _expanded(page, sections):
    if page not in sections:
        return page
    title, inner = sections[page]
    return {title: [page, *inner]}


def on_files(files, config):
    """Add the pages of the verbs and of the functions."""
    made = {COMMANDS: verbs.index(), **verbs.pages()}
    for index, (_title, pages) in functions.sections().items():
        made |= {index: functions.index(index), **pages}
    for path, content in made.items():
        files.append(File.generated(config, path, content=content))
    return files


def on_page_markdown(markdown, page, config, files):
    """Put the drawings of the packages where the architecture page asks for them."""
    return drawing.fill(markdown, PROJECT / "pyproject.toml")
