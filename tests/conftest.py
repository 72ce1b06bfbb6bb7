"""What every test may ask for."""

import os
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent


def need(present, reason):
    """Skip where a part of the machine is absent; fail in CI, where it must be there."""
    if not present:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(reason)


@pytest.fixture(scope="session")
def shared_data():
    """The real sketches, judgments and result files that lie beside a checkout."""
    folder = PROJECT.parent / "shared" / "data"
    need(folder.is_dir(), f"the real data is not at {folder}")
    return folder
