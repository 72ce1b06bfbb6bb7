"""Examples in the docstrings of analysis."""

import doctest
import importlib
import pkgutil

import pytest

import analysis

MODULES = [module.name for module in pkgutil.walk_packages(analysis.__path__, prefix="analysis.")]


@pytest.mark.parametrize("name", MODULES)
def test_examples_are_right(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0
