"""The README tells the truth: its verbs, its folders, its benches and its worked examples."""

import doctest
import re

import pytest

from study_app.cli import VERBS
from tests.conftest import PROJECT

TEXT = (PROJECT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_is_told(verb):
    assert f"`{verb}`" in TEXT


def test_every_evaluation_is_told():
    from analysis.cli import analyse, evaluate

    for group in (analyse, evaluate):
        for name in group.list_commands(None):
            assert f"`{name}`" in TEXT, name


def test_worked_examples_give_what_is_printed():
    parser = doctest.DocTestParser()
    examples = parser.get_doctest(TEXT, {}, "README", "README.md", 0)
    assert examples.examples
    assert doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(examples).failed == 0


def test_named_folders_and_benches_are_there():
    tree = TEXT.split("## The tree")[1].split("## ")[0]
    named = re.findall(r"^ {4}(\w+)/", tree, re.MULTILINE)
    assert {"printables", "analysis", "study_app", "tests"} <= set(named)
    for folder in named:
        assert (PROJECT / folder).is_dir(), folder
    for inner in re.findall(r"(\w+)/", tree.split("study_app/", 1)[1].split("tests/")[0]):
        assert (PROJECT / "study_app" / inner).is_dir(), inner
    for bench in re.findall(r"tests\.bench\.(\w+)", TEXT):
        assert (PROJECT / "tests" / "bench" / f"{bench}.py").is_file(), bench


def test_every_picture_is_there():
    for picture in re.findall(r'src="([^"]+)"', TEXT):
        assert (PROJECT / picture).is_file(), picture


def test_every_verb_has_an_example():
    from click.testing import CliRunner

    from study_app.cli import cli

    for verb in VERBS:
        said = CliRunner().invoke(cli, [verb, "--help"]).output
        inner = re.findall(r"^  ([a-z][a-z0-9-]+)  ", said.split("Commands:")[-1], re.MULTILINE)
        pages = [[verb, name] for name in inner] if "Commands:" in said else [[verb]]
        for page in pages:
            assert "Example: sketch-study" in CliRunner().invoke(cli, [*page, "--help"]).output
