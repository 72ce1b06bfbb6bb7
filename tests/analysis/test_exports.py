"""Names that `from analysis import …` provides, and the cost of importing the package."""

import importlib
import inspect
import pydoc
import re
import subprocess
import sys

import pytest

import analysis

SECTIONS = ("Parameters", "Returns", "Raises", "References", "Examples")


def _sections(text):
    """Numpydoc sections by name, in order."""
    parts = re.split(r"^(\w+)\n-{3,}\n", inspect.cleandoc(text), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


@pytest.mark.parametrize("name", analysis.__all__)
def test_every_export_has_a_docstring_with_source_and_example(name):
    exported = getattr(analysis, name)
    assert name in dir(analysis)
    found = _sections(exported.__doc__)
    wanted = ("Attributes", *SECTIONS[3:]) if inspect.isclass(exported) else SECTIONS
    assert [section for section in found if section in wanted] == list(wanted)
    assert re.search(r"^\.\. \[1\] .+", found["References"], re.MULTILINE)
    assert re.search(r"^>>> .+", found["Examples"], re.MULTILINE)
    if not inspect.isclass(exported):
        documented = re.findall(r"^(\w[\w, ]*?) ?(?::|$)", found["Parameters"], re.MULTILINE)
        arguments = [one for names in documented for one in names.split(", ")]
        assert arguments == list(inspect.signature(exported).parameters)


def test_no_export_is_hidden_by_a_module_with_the_same_name():
    for name in analysis.__all__:
        assert importlib.util.find_spec(f"analysis.{name}") is None


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'absent'"):
        _ = analysis.absent


def test_importing_the_package_loads_nothing_heavy():
    code = (
        "import analysis, sys; print(sorted({'numpy', 'scipy', 'matplotlib'} & set(sys.modules)))"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"


def test_the_first_use_does_not_import_scipy():
    code = (
        "from analysis import average_precision, bcubed, tau_b; import sys; "
        "print(sorted({'scipy', 'matplotlib', 'polars'} & set(sys.modules)))"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"


@pytest.mark.parametrize("name", analysis.__all__)
def test_help_opens_with_a_short_signature(name):
    """Unions of all types that numpy converts to arrays would need twenty lines on a terminal."""
    opening = pydoc.plain(pydoc.render_doc(getattr(analysis, name))).split("\n")[2]
    assert opening.startswith((f"{name}(", f"class {name}("))
    assert len(opening) < 260 and "Union" not in opening and "_SupportsArray" not in opening
