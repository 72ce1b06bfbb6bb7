"""The README and the measurements are correct: pictures, links, benchmarks and examples."""

import doctest
import re

import pytest
from click.testing import CliRunner

from study_app.cli import VERBS, cli
from tests.conftest import PROJECT

TEXT = (PROJECT / "README.md").read_text(encoding="utf-8")
MEASURED = "".join(
    path.read_text(encoding="utf-8")
    for path in sorted((PROJECT / "docs" / "reference").glob("*measurements.md"))
)


def test_worked_examples_give_what_is_printed():
    parser = doctest.DocTestParser()
    examples = parser.get_doctest(TEXT, {}, "README", "README.md", 0)
    assert examples.examples
    assert doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(examples).failed == 0


def test_every_bench_named_in_the_measurements_is_there():
    named = set(re.findall(r"tests\.bench\.(\w+)", MEASURED))
    there = {path.stem for path in (PROJECT / "tests" / "bench").glob("*.py")}
    assert named and named <= there


def test_everything_linked_is_there():
    linked = re.findall(r'src="([^"]+)"', TEXT) + re.findall(r"\]\(([^)]+)\)", TEXT)
    assert len(linked) > 15
    for path in linked:
        assert (PROJECT / path).is_file(), path


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md"])
def test_it_says_in_one_sentence_that_no_licence_is_declared(name):
    assert (
        " ".join((PROJECT / name).read_text("utf-8").split()).count("No licence is declared") == 1
    )


def test_every_verb_has_an_example():
    for verb in VERBS:
        output = CliRunner().invoke(cli, [verb, "--help"]).output
        inner = re.findall(r"^  ([a-z][a-z0-9-]+)  ", output.split("Commands:")[-1], re.MULTILINE)
        pages = [[verb, name] for name in inner] if "Commands:" in output else [[verb]]
        for page in pages:
            assert "Example: sketch-study" in CliRunner().invoke(cli, [*page, "--help"]).output
