"""The house's own rules: the arrows, the style, the types, and what the wheel holds."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from importlinter.cli import lint_imports

from tests.conftest import PROJECT

PACKAGES = ("analysis", "printables", "study_app")


def _run(*command, **kwargs):
    done = subprocess.run(
        [sys.executable, *command], capture_output=True, text=True, encoding="utf-8", **kwargs
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_arrows_point_one_way(monkeypatch):
    monkeypatch.chdir(PROJECT)
    assert lint_imports(no_cache=True) == 0


def test_ruff_finds_nothing():
    _run("-m", "ruff", "check", "--no-cache", ".", cwd=PROJECT)
    _run("-m", "ruff", "format", "--check", "--no-cache", ".", cwd=PROJECT)


def test_types_of_the_two_libraries():
    _run("-m", "mypy", cwd=PROJECT)


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


def test_the_wheel_runs_outside_the_checkout(wheel, tmp_path):
    site = tmp_path / "site"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    program = (
        f"import sys; sys.path.insert(0, {str(site)!r})\n"
        "import study_app\n"
        "from study_app.config import Settings\n"
        f"assert study_app.__file__.startswith({str(site)!r})\n"
        f"app = study_app.create_app(Settings.of({str(tmp_path / 'instance')!r}))\n"
        "answer = app.test_client().get('/sign-in')\n"
        "assert answer.status_code == 200, answer\n"
    )
    _run("-P", "-c", program, cwd=tmp_path)


def test_nothing_of_the_real_data_is_in_the_project():
    sizes = [p.stat().st_size for p in Path(PROJECT).glob("tests/**/*") if p.is_file()]
    assert max(sizes) < 200_000
