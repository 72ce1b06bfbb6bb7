"""Templates, scripts and stylesheets are formatted and lint-clean."""

import os
import re
import shutil
import subprocess
import sysconfig
from pathlib import Path

import pytest
from jinja2 import Environment, nodes

from tests.conftest import PROJECT

TEMPLATES = PROJECT / "study_app" / "web" / "templates"
STATIC = PROJECT / "study_app" / "web" / "static"
LONGEST_LINE = 120
ARITHMETIC = (nodes.Add, nodes.Sub, nodes.Mul, nodes.Div, nodes.FloorDiv, nodes.Mod, nodes.Pow)


def _run(tool, *arguments):
    path = shutil.which(tool, path=sysconfig.get_path("scripts")) or shutil.which(tool)
    assert path, f"{tool} is not installed: pip install -e '.[test]'"
    environment = {**os.environ, "NO_COLOR": "1", "DENO_NO_UPDATE_CHECK": "1"}
    done = subprocess.run(
        [path, *arguments],
        cwd=PROJECT,
        env=environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("verb", [["--check"], ["check"]])
def test_templates_are_formatted_and_lint_clean(verb):
    _run("djangofmt", *verb, "study_app/web/templates")


@pytest.mark.parametrize("verb", [["fmt", "--check"], ["lint"]])
def test_scripts_and_stylesheets_are_formatted_and_lint_clean(verb, tmp_path, monkeypatch):
    monkeypatch.setenv("DENO_DIR", str(tmp_path))
    _run("deno", *verb)


def _lines(folder, *suffixes):
    for path in sorted(Path(folder).rglob("*")):
        if path.suffix in suffixes:
            text = path.read_text(encoding="utf-8")
            for number, line in enumerate(text.splitlines(), 1):
                yield f"{path.relative_to(PROJECT).as_posix()}:{number}", line


def test_no_line_is_too_long():
    lines = [*_lines(TEMPLATES, ".html"), *_lines(STATIC, ".js", ".css")]
    assert [place for place, line in lines if len(line) > LONGEST_LINE] == []


def test_no_template_puts_a_space_before_punctuation():
    """Formatting breaks lines between two blocks: only `{%-` takes the space away again."""
    begins = re.compile(r"\s*(\{% [^%]*%\})*[,.;:)]")
    lines = _lines(TEMPLATES, ".html")
    assert [place for place, line in lines if begins.match(line)] == []


def _is_text(node):
    return isinstance(node, nodes.Const) and isinstance(node.value, str)


def test_no_template_computes():
    """Numbers come from view models and filters; `"%s" % x` puts one into words."""
    environment = Environment(extensions=["jinja2.ext.i18n"])
    environment.newstyle_gettext = True
    found = []
    for path in [*TEMPLATES.rglob("*.html"), *TEMPLATES.rglob("*.svg")]:
        tree = environment.parse(path.read_text(encoding="utf-8"))
        computed = [n for n in tree.find_all(ARITHMETIC) if not _is_text(n.left)]
        rounded = [f for f in tree.find_all(nodes.Filter) if f.name in ("round", "sum", "abs")]
        found += [f"{path.relative_to(TEMPLATES)}:{node.lineno}" for node in computed + rounded]
    assert found == []
