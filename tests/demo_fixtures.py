"""The demo's study, made once in a run, whichever worker needs it first."""

import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from filelock import FileLock

from tests.app_fixtures import shared_folder


@dataclass(frozen=True)
class Demo:
    """The output of the command until it served, and its folder."""

    output: str
    folder: Path

    def copy(self, to):
        """A copy that a test may change."""
        return Path(shutil.copytree(self.folder, to))


@pytest.fixture(scope="session")
def demo(tmp_path_factory):
    """The demo as a newcomer starts it, ended when it serves."""
    place = shared_folder(tmp_path_factory) / "demo"
    with FileLock(f"{place}.lock"):
        if not place.exists():
            made = place.with_name("demo-in-the-making")
            shutil.rmtree(made, ignore_errors=True)
            made.mkdir()
            (made / "output.txt").write_text(_make(made / "demo-study"), encoding="utf-8")
            made.rename(place)
    return Demo((place / "output.txt").read_text(encoding="utf-8"), place / "demo-study")


def demo_command(folder, *more):
    """The command line of the demo."""
    return [sys.executable, "-u", "-m", "study_app", "demo", "--out", str(folder), *more]


def _make(folder):
    process = subprocess.Popen(
        demo_command(folder, "--port", "0"),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
    )
    output = []
    with process:
        for line in process.stdout:
            output.append(line)
            if "/welcome/" in line:
                process.kill()
                return "".join(output)
    raise AssertionError("the demo ended without serving:\n" + "".join(output))
