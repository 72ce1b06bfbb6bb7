"""Python sources, as the tests of this folder read them."""

import ast
from functools import cache

BLOCKS = ast.stmt | ast.excepthandler | ast.match_case


@cache
def tree(path):
    """The syntax tree of a file."""
    return ast.parse(path.read_text(encoding="utf-8"))


def statements(path):
    """Every statement of a file, nested ones too, but no expression: those are most of a tree."""
    found = [*tree(path).body]
    for statement in found:
        for _name, value in ast.iter_fields(statement):
            if isinstance(value, list):
                found += [part for part in value if isinstance(part, BLOCKS)]
    return found
