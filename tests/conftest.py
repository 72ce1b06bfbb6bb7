"""Fixtures and options of all tests."""

import gc
import os
import sys
import warnings
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests import postgres, s3_server

# A busy machine is no failure: tests judge values, not times. In CI every run has the same
# examples.
settings.register_profile(
    "whole",
    deadline=None,
    derandomize="CI" in os.environ,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("part", settings.get_profile("whole"), max_examples=25)

# Each worker loads 500 modules of tests, and the programs that tests start load the packages: they
# are compiled once, whatever the environment says, and none of them is garbage.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
gc.disable()

# Workers share the cores: threads of a matrix product would only wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# Memory of photos is kept for the next ones: the kernel would fill it with zeros each time.
os.environ.setdefault("MALLOC_MMAP_THRESHOLD_", str(2**25))
os.environ.setdefault("MALLOC_TRIM_THRESHOLD_", str(2**28))

pytest_plugins = [
    "tests.app_fixtures",
    "tests.ranking_fixtures",
    "tests.ranking_form",
    "tests.backup_fixtures",
    "tests.demo_fixtures",
    "tests.export_fixtures",
    "tests.sorted_set",
    "tests.system_fonts",
    "tests.table_fixtures",
]

PROJECT = Path(__file__).resolve().parent.parent
# As tests call the database that they ask for.
ON_POSTGRES = {"postgres", "postgresql", "postgres_engine", "postgres_url", "upgraded_url"}


def pytest_configure(config):
    """Try 100 random examples in the whole run, 25 where only a part is chosen."""
    settings.load_profile("part" if config.getoption("markexpr") else "whole")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Mark tests that need a browser or PostgreSQL; leave slow tests out of partial runs."""
    for item in items:
        if "browser" in item.path.parts:
            item.add_marker("browser")
        chosen = getattr(item, "callspec", None)
        asked = (
            {value for value in chosen.params.values() if isinstance(value, str)} if chosen else ()
        )
        if "exported" in item.fixturenames:
            item.add_marker("slow")
        if not ON_POSTGRES.isdisjoint({*item.fixturenames, *asked}):
            item.add_marker("postgres")
    expression = config.getoption("markexpr")
    if expression and "slow" not in expression:
        slow = [item for item in items if item.get_closest_marker("slow")]
        config.hook.pytest_deselected(items=slow)
        items[:] = [item for item in items if not item.get_closest_marker("slow")]
    items.sort(key=_turns(items))


def _turns(items):
    """The order of files: long ones first, so that no worker starts one when the others are done.

    Workers take whole files in this order; without it, files with few tests come last, and those
    are the longest.
    """
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    browser = {item.path for item in items if item.get_closest_marker("browser")}
    server = {item.path for item in items if item.get_closest_marker("postgres")}

    def turn(item):
        return tuple(item.path not in long for long in (slow, browser, server))

    return turn


def pytest_xdist_auto_num_workers(config):
    """A worker for each core up to four, and one more where tests wait for browsers and servers.

    In a container the count may be that of the host.
    """
    waits = "not browser" not in config.getoption("markexpr")
    return min(os.cpu_count() or 1, 4) + waits


def pytest_sessionstart(session):
    """Compile the modules of a whole run together: each worker begins with others.

    In a fresh checkout, every worker would compile the same module at the same time.
    """
    config = session.config
    if not hasattr(config, "workerinput") or config.args != config.getini("testpaths"):
        return
    modules = sorted(PROJECT.glob("tests/**/test_*.py"))
    worker = int(config.workerinput["workerid"].removeprefix("gw"))
    begin = len(modules) * worker // config.workerinput["workercount"]
    for path in modules[begin:] + modules[:begin]:
        name = ".".join(path.relative_to(PROJECT).with_suffix("").parts)
        # The collection of tests reports what is wrong with a module.
        with suppress(Exception, pytest.skip.Exception), warnings.catch_warnings():
            warnings.simplefilter("error")
            import_module(name)


def pytest_collection_finish():
    """Collect garbage from here on, but never look again at modules and tests.

    What tests load later is looked at seldom: a sixth of the time of tests of pages went into that.
    """
    gc.freeze()
    gc.set_threshold(700, 10, 100)
    gc.enable()


def pytest_make_parametrize_id(val, argname):
    """Call a test by no bytes: a packed file holds the second in which a worker packed it."""
    return argname if isinstance(val, bytes) else None


def need(present, reason):
    """Skip where a part of the machine is absent; fail in CI, where it must be there."""
    if not present:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(reason)


@pytest.fixture(scope="session")
def shared_data():
    """The real sketches, judgments and result files in a folder beside the checkout."""
    folder = PROJECT.parent / "shared" / "data"
    need(folder.is_dir(), f"the real data is not at {folder}")
    return folder


@pytest.fixture(scope="session")
def postgres_server():
    """The address of a running PostgreSQL server."""
    need(postgres.find_programs(), "no PostgreSQL server is installed")
    with postgres.running() as address:
        yield address


@pytest.fixture(scope="session")
def upgraded_database(postgres_server):
    """The name of a PostgreSQL database with every table and no row, to be copied.

    The revisions, run one by one, take longer than most tests.
    """
    from sqlalchemy import create_engine

    from study_app.core import migrations
    from study_app.core.config import Settings

    with postgres.new_database(postgres_server) as address:
        engine = create_engine(Settings.of(database=address).database_url)
        migrations.upgrade(engine)
        engine.dispose()
        yield address.rpartition("/")[2]


@pytest.fixture
def postgres_url(request, postgres_server):
    """The address of an empty PostgreSQL database, dropped afterwards."""
    assert request.node.get_closest_marker("postgres"), "call the parameter 'postgres'"
    with postgres.new_database(postgres_server) as address:
        yield address


@pytest.fixture
def upgraded_url(request, postgres_server, upgraded_database):
    """The address of a PostgreSQL database with every table, dropped afterwards."""
    assert request.node.get_closest_marker("postgres"), "call the parameter 'postgres'"
    with postgres.new_database(postgres_server, upgraded_database) as address:
        yield address


@pytest.fixture(scope="session")
def s3_environment(request):
    """The environment of a process whose files are in a running S3 server; bucket "study"."""
    with s3_server.running() as environment:
        s3_server.make_bucket(environment)
        yield environment


def pytest_report_header():
    """Which S3 server the tests use."""
    return f"S3 server: {s3_server.kind()}"
