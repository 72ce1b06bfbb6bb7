"""The architecture page agrees with the code: drawings, paths, packages."""

import importlib
import re
from xml.etree import ElementTree

import grimp
import pytest

from docs.hooks import drawing
from tests.conftest import PROJECT

PAGE = PROJECT / "docs" / "architecture.md"
PACKAGES = ("analysis", "basics", "printables", "study_app")


@pytest.fixture(scope="module")
def graph():
    """Who imports whom, as the files say."""
    return grimp.build_graph(*PACKAGES, cache_dir=None)


def _drawn(package):
    """The row of every room in the drawing."""
    picture = ElementTree.fromstring(drawing.draw(package, PROJECT / "pyproject.toml"))
    boxes = [box for box in picture if box.tag.endswith("}g")]
    assert all(box[0].text for box in boxes), "a room does not say what it is for"
    return {box.get("data-room"): int(box.get("data-row")) for box in boxes}


def _room(module):
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else None


@pytest.mark.parametrize("package", ["analysis", "printables", "study_app"])
def test_every_room_is_drawn(package):
    there = {
        path.stem
        for path in (PROJECT / package).iterdir()
        if path.suffix == ".py" or (path / "__init__.py").is_file()
    }
    assert _drawn(package).keys() == there - {"__init__"}


@pytest.mark.parametrize("package", ["analysis", "printables", "study_app"])
def test_no_import_goes_up_or_sideways_in_the_drawing(package, graph):
    rows = _drawn(package)
    for importer in graph.modules:
        for imported in graph.find_modules_directly_imported_by(importer):
            same = {importer.split(".")[0], imported.split(".")[0]} == {package}
            above, below = _room(importer), _room(imported)
            if same and above and below and above != below:
                assert rows[above] < rows[below], f"{importer} imports {imported}"


def test_the_table_of_packages_says_who_uses_whom(graph):
    table = re.findall(r"^\| `(\w+)` \|[^|]*\|([^|]*)\|$", PAGE.read_text("utf-8"), re.MULTILINE)
    stated = {package: set(re.findall(r"`(\w+)`", uses)) for package, uses in table}
    found = {package: set() for package in PACKAGES}
    for importer in graph.modules:
        for imported in graph.find_modules_directly_imported_by(importer):
            found[importer.split(".")[0]].add(imported.split(".")[0])
    assert stated == {package: uses - {package} for package, uses in found.items()}


def test_the_paths_lead_through_functions_that_there_are():
    section = PAGE.read_text("utf-8").split("## Three paths")[1]
    names = re.findall(r"`((?:analysis|printables|study_app)\.[\w.]+)`", section)
    assert len(names) > 10
    for name in names:
        parent, _, last = name.rpartition(".")
        try:
            importlib.import_module(name)
        except ModuleNotFoundError:
            assert hasattr(importlib.import_module(parent), last), name
