"""What `from analysis import …` offers, and that naming the package costs nothing."""

import importlib
import subprocess
import sys

import pytest

import analysis


@pytest.mark.parametrize("name", analysis.__all__)
def test_every_export_is_there_and_documented(name):
    assert getattr(analysis, name).__doc__
    assert name in dir(analysis)


def test_no_export_is_hidden_by_a_module_of_its_name():
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
