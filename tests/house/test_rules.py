"""Rules of the project: import contracts, style, types, and contents of the wheel."""

import ast
import logging.config
import os
import re
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest
from importlinter.cli import lint_imports
from PIL import Image

from tests.conftest import PROJECT

PACKAGES = ("analysis", "basics", "printables", "study_app")


# Where a Python installs packages.
SITE = "import sysconfig; print(sysconfig.get_path('purelib'))"
# Pages, scripts and styles, asked of the packages in a folder.
PAGES = """
import re, sys
import study_app
from study_app.core.config import Settings
assert study_app.__file__.startswith(sys.argv[1]), study_app.__file__
browser = study_app.create_app(Settings.of("instance")).test_client()
page = browser.get("/sign-in")
assert page.status_code == 200, page
found = re.findall(r'(?:href|src)="(/static/[^"]+)"', page.text)
assert found
for path in found:
    assert browser.get(path).status_code == 200, path
"""


def _run(*command, python=sys.executable, **kwargs):
    done = subprocess.run(
        [python, *command], capture_output=True, text=True, encoding="utf-8", **kwargs
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_arrows_point_one_way(monkeypatch):
    monkeypatch.chdir(PROJECT)
    # It would turn off the log that other tests read.
    monkeypatch.setattr(logging.config, "dictConfig", lambda _: None)
    assert lint_imports(no_cache=True) == 0


def test_docstrings_name_numbers_of_other_modules_that_exist():
    sources = [
        (path.stem, path.read_text(encoding="utf-8"))
        for package in (*PACKAGES, "tests")
        for path in sorted((PROJECT / package).rglob("*.py"))
    ]
    named = {
        match for _, text in sources for match in re.findall(r"`(\w+)\.(_?[A-Z][A-Z_]+)`", text)
    }
    assert named
    for module, number in named:
        assigned = re.compile(rf"^(.*, )?{number}\b.*=", re.MULTILINE)
        assert any(stem == module and assigned.search(text) for stem, text in sources), number


def test_ruff_finds_nothing():
    _run("-m", "ruff", "check", "--no-cache", ".", cwd=PROJECT)
    _run("-m", "ruff", "format", "--check", "--no-cache", ".", cwd=PROJECT)


@pytest.mark.slow
@pytest.mark.parametrize("platform", ["linux", "win32"])
def test_types_hold_and_no_name_is_missing_on_the_platform(platform):
    # With a cache in common, each platform would replace what was found on the other.
    cache = f".mypy_cache/{platform}"
    _run("-m", "mypy", "--platform", platform, "--cache-dir", cache, cwd=PROJECT)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel, built from this checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    _run("-m", "hatchling", "build", "-t", "wheel", "-d", str(folder), cwd=PROJECT)
    return next(folder.glob("*.whl"))


def test_the_wheel_holds_every_file_of_the_packages(wheel):
    with zipfile.ZipFile(wheel) as archive:
        held = set(archive.namelist())
    for package in PACKAGES:
        for path in (PROJECT / package).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                assert path.relative_to(PROJECT).as_posix() in held


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """A fresh virtual environment in which the wheel is installed, as pip does it, without network.

    The packages that it depends on are those of this one.
    """
    home = tmp_path_factory.mktemp("installed")
    venv.create(home / "venv", with_pip=False)
    scripts = home / "venv" / ("Scripts" if os.name == "nt" else "bin")
    python = shutil.which("python", path=str(scripts))
    site = Path(_run("-c", SITE, python=python).strip())
    around = [path for path in sys.path if Path(path).name == "site-packages"]
    (site / "around.pth").write_text("\n".join(around), encoding="utf-8")
    offline = ("install", "--no-index", "--no-deps", "--quiet", str(wheel))
    _run("-m", "pip", "--python", python, *offline)
    return shutil.which("sketch-study", path=str(scripts)), python, site


@pytest.mark.slow
def test_the_installed_wheel_is_the_whole_program(installed, tmp_path):
    command, python, site = installed
    (tmp_path / "cats").mkdir()
    Image.new("L", (60, 60), 90).save(tmp_path / "cats" / "tom.png")
    for arguments in (
        ["import", "cats", "cats"],
        ["print", "cats", "--out", "cats.pdf", "--manifest", "cats.csv"],
        ["export", "My study", "--out", "export"],
    ):
        done = subprocess.run(
            [command, *arguments], cwd=tmp_path, capture_output=True, text=True, encoding="utf-8"
        )
        assert done.returncode == 0, done.stderr
    assert (tmp_path / "cats.pdf").read_bytes().startswith(b"%PDF")
    _run("-I", "-c", PAGES, str(site), python=python, cwd=tmp_path)


def _awaited(path):
    """The conditions for which the functions of a file call `wait_for_function`, as text."""
    text = path.read_text(encoding="utf-8")
    if "wait_for_function" not in text:
        return
    tree = ast.parse(text)
    named = {
        target.id: node.value
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "wait_for_function":
            condition = node.args[0]
            yield ast.unparse(named.get(getattr(condition, "id", None), condition))


def test_nobody_waits_for_a_promise_which_is_always_true():
    """`tests.browser.page_checks.wait_until` waits for what a promise gives."""
    conditions = [one for path in (PROJECT / "tests").rglob("*.py") for one in _awaited(path)]
    assert conditions
    assert [one for one in conditions if re.search(r"async|Promise|\.then\(", one)] == []


def test_nothing_of_the_real_data_is_in_the_project():
    sizes = [p.stat().st_size for p in Path(PROJECT).glob("tests/**/*") if p.is_file()]
    assert max(sizes) < 200_000
