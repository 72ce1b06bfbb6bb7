"""What every test may ask for."""

import os
import uuid
from pathlib import Path

import pytest
from hypothesis import settings

from tests import postgres

# A busy machine is no failure: tests judge values, not times.
settings.register_profile("house", deadline=None)
settings.load_profile("house")

# Workers share the cores: threads of a matrix product would only wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

pytest_plugins = ["tests.app_fixtures", "tests.ranking_fixtures"]

PROJECT = Path(__file__).resolve().parent.parent


def pytest_make_parametrize_id(val, argname):
    """Call a test by no bytes: a packed file holds the second in which a worker packed it."""
    return argname if isinstance(val, bytes) else None


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


@pytest.fixture(scope="session")
def postgres_server():
    """The address of a running PostgreSQL server."""
    need(postgres.find_programs(), "no PostgreSQL server is installed")
    with postgres.running() as address:
        yield address


@pytest.fixture
def postgres_url(postgres_server):
    """The address of an empty PostgreSQL database, dropped afterwards."""
    import psycopg

    name = f"study_{uuid.uuid4().hex}"
    with psycopg.connect(postgres_server, autocommit=True) as connection:
        connection.execute(f"create database {name}")
    yield postgres_server.rsplit("/", 1)[0] + f"/{name}"
    with psycopg.connect(postgres_server, autocommit=True) as connection:
        connection.execute(f"drop database {name} with (force)")
