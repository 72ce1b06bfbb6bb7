"""Every module has a test at the mirrored path, or a rule says where its tests are.

A module `study_app/cards/printing.py` has `tests/study_app/cards/test_printing.py`. Without that
file, one of these has to hold:

- a test in the mirrored folder imports the module;
- a test of the whole folder is beside it: `tests/…/core/test_migrations.py` for `core/migrations/`;
- the module decides nothing: it has no condition and no loop, only names, types and tables;
- it is a page of the web application: the tests of the route table open every route as every role;
- it is a step of at most three modules, and each of these has its tests.
"""

import ast
from functools import cache
from pathlib import Path

from tests.conftest import PROJECT
from tests.house.sources import statements, tree

PACKAGES = ("analysis", "basics", "printables", "study_app")
MOST_USERS = 3
DECISIONS = (ast.If, ast.For, ast.While, ast.Try, ast.IfExp, ast.comprehension, ast.BoolOp)


@cache
def _imported(path):
    """Dotted names that a file imports, the names within modules too."""
    found = set()
    for node in statements(path):
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{name.name}" for name in node.names)}
        elif isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
    return found


def _modules():
    """Files of all modules, by their dotted names."""
    return {
        ".".join(path.relative_to(PROJECT).with_suffix("").parts): path
        for package in PACKAGES
        for path in (PROJECT / package).rglob("*.py")
        if "versions" not in path.parts
    }


@cache
def _imported_by_tests_in(folder):
    return set().union(*(_imported(test) for test in folder.rglob("test_*.py")))


def _has_own_tests(name, path):
    folder = PROJECT / "tests" / path.relative_to(PROJECT).parent
    return (
        (folder / f"test_{path.stem}.py").is_file()
        or (folder.parent / f"test_{folder.name}.py").is_file()
        or name in _imported_by_tests_in(folder)
    )


def _needs_none(path):
    """Whether a module has no decision, or starts the program."""
    if path.name in ("__init__.py", "__main__.py") or "models" in path.parts:
        return True
    return not any(isinstance(node, DECISIONS) for node in ast.walk(tree(path)))


def _is_page(path):
    """Whether a module of the web application has routes."""
    decorators = (
        decorator.func.value.id
        for node in statements(path)
        if isinstance(node, ast.FunctionDef)
        for decorator in node.decorator_list
        if isinstance(decorator, ast.Call)
        and isinstance(decorator.func, ast.Attribute)
        and isinstance(decorator.func.value, ast.Name)
    )
    return "web" in path.parts and any(name in ("blueprint", "phones") for name in decorators)


def _without_tests():
    modules = _modules()
    users = {
        name: [user for user, path in modules.items() if name in _imported(path) and user != name]
        for name in modules
    }
    left = {
        name
        for name, path in modules.items()
        if not (_needs_none(path) or _has_own_tests(name, path) or _is_page(path))
    }
    while steps := {
        name for name in left if 0 < len(users[name]) <= MOST_USERS and not left & {*users[name]}
    }:
        left -= steps
    return sorted(left)


def test_every_module_has_its_tests():
    assert _without_tests() == [], "add tests at the mirrored path"


def test_every_folder_of_tests_mirrors_one_of_the_packages():
    mirrored = [
        folder.relative_to(PROJECT / "tests")
        for package in PACKAGES
        for folder in (PROJECT / "tests" / package).rglob("*")
        if folder.is_dir() and list(folder.glob("test_*.py"))
    ]
    assert [str(folder) for folder in mirrored if not Path(PROJECT / folder).is_dir()] == []
