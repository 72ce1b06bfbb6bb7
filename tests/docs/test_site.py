"""The site: built strictly, complete, and readable without a network."""

import os
import re
import subprocess
import sys
from html.parser import HTMLParser

import pytest

from docs.hooks import drawing
from study_app.cli import VERBS
from tests.conftest import PROJECT

DOCS = PROJECT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
LARGEST_PICTURE = 200_000
BLOCK = re.compile(r"^```\w*\n(.*?)^```", re.MULTILINE | re.DOTALL)
# Attributes by which a browser fetches something at once; a link is followed by a person only.
FETCHED = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src"}


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The built site."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "-d", str(folder)]
    done = subprocess.run(
        command,
        cwd=PROJECT,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1", "PYTHONPATH": str(PROJECT)},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


class Fetched(HTMLParser):
    """Collects what a page fetches."""

    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attrs):
        """Keep the address of what the tag fetches."""
        address = dict(attrs).get(FETCHED.get(tag, ""))
        if address:
            self.found.append(address)


@pytest.mark.slow
def test_no_page_fetches_anything_from_another_host(site):
    pages = list(site.rglob("*.html"))
    assert len(pages) > 40
    for page in pages:
        seen = Fetched()
        seen.feed(page.read_text(encoding="utf-8"))
        assert seen.found
        assert [a for a in seen.found if re.match(r"(https?:)?//", a)] == [], page


@pytest.mark.slow
def test_every_verb_has_its_page_with_every_option(site):
    for verb in VERBS:
        assert (site / "reference" / "commands" / f"{verb}.html").is_file(), verb
    page = (site / "reference/commands/print.html").read_text(encoding="utf-8")
    for option in ("--out", "--manifest", "--calibration", "--part"):
        assert option in page


@pytest.mark.slow
def test_every_public_function_has_its_place(site):
    import analysis
    import printables

    for library in (analysis, printables):
        text = "".join(
            page.read_text(encoding="utf-8")
            for page in (site / "reference" / library.__name__).glob("*.html")
        )
        for name in library.__all__:
            place = f"{getattr(library, name).__module__}.{name}"
            assert f'id="{place}"' in text, place


@pytest.mark.slow
def test_the_drawings_are_in_the_page_as_they_were_drawn(site):
    page = (site / "architecture.html").read_text(encoding="utf-8")
    for package in ("analysis", "printables", "study_app"):
        assert drawing.draw(package, PROJECT / "pyproject.toml") in page, package
    assert "drawing:" not in page


def test_every_picture_is_used_and_small():
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    text += (PROJECT / "README.md").read_text(encoding="utf-8")
    pictures = [path for path in (DOCS / "images").iterdir() if path.is_file()]
    assert pictures
    for picture in pictures:
        assert f"images/{picture.name}" in text, picture.name
        assert picture.stat().st_size < LARGEST_PICTURE, picture.name


def test_commands_in_the_pages_have_the_verbs_and_options_that_there_are():
    import click

    from study_app.cli import cli

    named = [
        line
        for page in PAGES
        for block in BLOCK.findall(page.read_text(encoding="utf-8"))
        for line in block.replace("\\\n", " ").splitlines()
        if re.match(r"\s*sketch-study [a-z]", line)
    ]
    assert len(named) > 20
    for line in named:
        words = line.split("#")[0].split()[1:]
        command, context = cli, click.Context(cli)
        while isinstance(command, click.Group) and words:
            command = command.get_command(context, words.pop(0))
            assert command, line
        known = {
            option for param in command.params for option in (*param.opts, *param.secondary_opts)
        }
        asked = {word.split("=")[0] for word in words if word.startswith("--")}
        assert asked <= {*known, "--help"}, line
