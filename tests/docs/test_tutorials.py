"""The tutorials run: their commands, their Python, and between them the steps on pages."""

import doctest
import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.conftest import PROJECT
from tests.docs.page_steps import STEPS
from tests.docs.warm_commands import commands_in

pytestmark = pytest.mark.slow

TUTORIALS = PROJECT / "docs" / "tutorials"
MAKE_DEMO = "sketch-study demo --out demo-study --no-serve"
PART = re.compile(
    r"^```(?P<language>sh|python)\n(?P<text>.*?)^```|^<!-- page: (?P<page>[^>]+) -->",
    re.MULTILINE | re.DOTALL,
)


@pytest.fixture(scope="module")
def commands(tmp_path_factory):
    """A folder with the command, as an installation puts it on the path."""
    folder = tmp_path_factory.mktemp("commands")
    with commands_in(folder):
        yield folder


class Walk:
    """A reader who follows a tutorial in a fresh folder."""

    def __init__(self, folder, commands, demo):
        self.folder, self.commands, self.names, self.instance = folder, commands, {}, None
        demo.copy(folder / "demo-study")

    def follow(self, name):
        """Do everything that a tutorial says, in its order."""
        text = (TUTORIALS / f"{name}.md").read_text(encoding="utf-8")
        variables = ""
        for part in PART.finditer(text):
            if part["page"]:
                STEPS[part["page"]](self.folder, self.folder / self.instance)
            elif part["language"] == "python":
                self._python(part["text"])
            else:
                script = part["text"].replace(MAKE_DEMO, "test -d demo-study")
                named = re.search(r"SKETCH_STUDY_INSTANCE=(\w+)", script)
                self.instance = named[1] if named else self.instance
                _shell(variables + script, self.folder, self.commands)
                variables += "".join(re.findall(r"^(?:export )?\w+=\S+\n", script, re.MULTILINE))

    def _python(self, text):
        here = Path.cwd()
        os.chdir(self.folder)
        try:
            if ">>>" in text:
                example = doctest.DocTestParser().get_doctest(text, self.names, "page", None, 0)
                result = doctest.DocTestRunner().run(example, clear_globs=False)
                assert result.failed == 0
            else:
                exec(text, self.names)
        finally:
            os.chdir(here)


def _shell(script, folder, commands):
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=folder,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={
            **os.environ,
            "PATH": f"{commands}{os.pathsep}{os.environ['PATH']}",
        },
    )
    assert done.returncode == 0, f"{script}\n{done.stdout}{done.stderr}"


@pytest.fixture
def walk(tmp_path, commands, demo):
    """A reader with the demo's study."""
    return Walk(tmp_path, commands, demo)


def test_a_sorting_study_ends_with_the_matrix_of_the_demo(walk):
    walk.follow("sorting-study")
    made = (walk.folder / "gold" / "similarity.csv").read_text("utf-8")
    derived = walk.folder / "demo-study" / "export" / "data" / "derived"
    assert made == (derived / "set-shapes" / "similarity.csv").read_text("utf-8")


def test_a_ranking_study_has_scores_of_28_people(walk):
    walk.follow("ranking-study")


def test_a_system_of_ones_own_is_measured(walk):
    walk.follow("measuring-systems")
    measured = (walk.folder / "clustering-results" / "systems.csv").read_text("utf-8")
    assert measured.splitlines()[1].startswith("kinds,")
    assert "grid," in (walk.folder / "ranking-results" / "systems.csv").read_text("utf-8")


def test_an_online_study_sends_people_back_and_names_none_of_them(walk):
    walk.follow("online-study")
    exported = [p for p in (walk.folder / "online-export").rglob("*") if p.is_file()]
    assert exported
    assert not any(b"pid-6af0" in path.read_bytes() for path in exported)
