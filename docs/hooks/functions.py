"""A page for each room of the two libraries, made from the docstrings of what it offers."""

import importlib
import sys
from collections import defaultdict
from functools import cache

LIBRARIES = {
    "reference/analysis.md": ("analysis", "Python: analysis"),
    "reference/printables.md": ("printables", "Python: printables"),
}


@cache
def sections():
    """Title and pages of each library, by the path of its first page."""
    return {
        path: (title, {_path(library, room): _page(room, names) for room, names in _rooms(library)})
        for path, (library, title) in LIBRARIES.items()
    }


def index(path):
    """The page that lists what a library offers."""
    library, _title = LIBRARIES[path]
    parts = [f"# {library}", _docstring(library)[0]]
    for room, names in _rooms(library):
        told = ", ".join(f"`{name}`" for name in sorted(n for n, _ in names))
        link = _path(library, room).removeprefix("reference/")
        parts.append(f"**[{room}]({link})**: {_docstring(room)[0]}\n{told}")
    return "\n\n".join(parts) + "\n"


def _path(library, room):
    return f"reference/{library}/{room.rsplit('.', 1)[-1]}.md"


def _rooms(library):
    """Each folder of a library with the public names in it and where they are defined."""
    package = importlib.import_module(library)
    rooms = defaultdict(list)
    for name in package.__all__:
        module = getattr(package, name).__module__
        rooms[".".join(module.split(".")[:2])].append((name, f"{module}.{name}"))
    return sorted(rooms.items())


def _page(room, names):
    parts = [f"# {room}", *_docstring(room)[:1]]
    parts += [f"::: {place}" for _name, place in sorted(names, key=lambda pair: pair[1])]
    return "\n\n".join(parts) + "\n"


def _docstring(module):
    importlib.import_module(module)
    return [" ".join(p.split()) for p in (sys.modules[module].__doc__ or "").split("\n\n")]
