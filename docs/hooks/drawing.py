"""The drawing of the packages: the rooms, row by row, as import-linter's contracts hold them."""

import ast
import html
import re
import tomllib

ASKED = re.compile(r"^<!-- drawing: (\w+) -->$", re.MULTILINE)
WIDTH, GAP, ROW, BOX = 760, 8, 50, 38


def fill(markdown, pyproject):
    """Replace each request for a drawing by the SVG itself.

    Parameters
    ----------
    markdown : str
        Text with lines such as ``<!-- drawing: analysis -->``.
    pyproject : pathlib.Path
        The file that holds the contracts; the packages stand beside it.

    Returns
    -------
    str
    """
    # Markdown leaves a block alone, but would read what is in an inline drawing.
    return ASKED.sub(lambda found: f"<div>{draw(found[1], pyproject)}</div>", markdown)


def layers(package, pyproject):
    """The rooms of a package in rows, from those that use others to those that use none.

    Returns
    -------
    list of list of str

    Raises
    ------
    LookupError
        If no contract of kind "layers" names the package.
    """
    contracts = tomllib.loads(pyproject.read_text(encoding="utf-8"))["tool"]["importlinter"]
    for contract in contracts["contracts"]:
        if contract["type"] == "layers" and package in contract.get("containers", ()):
            return [[room.strip() for room in re.split("[|:]", row)] for row in contract["layers"]]
    raise LookupError(f"no layers are declared for {package}")


def draw(package, pyproject):
    """One row of boxes a layer; a box names its room, and its title says what it is for."""
    rows = layers(package, pyproject)
    height = len(rows) * ROW
    title = f"The rooms of {package}: each uses only rooms in rows below it"
    parts = [
        f'<svg class="rooms" data-package="{package}" viewBox="0 0 {WIDTH} {height}" role="img" '
        f'aria-label="{title}" xmlns="http://www.w3.org/2000/svg">'
    ]
    for number, rooms in enumerate(rows):
        wide = (WIDTH - GAP * (len(rooms) - 1)) / len(rooms)
        for place, room in enumerate(rooms):
            told = html.escape(_purpose(pyproject.parent / package, room))
            x, y = place * (wide + GAP), number * ROW
            parts.append(
                f'<g data-room="{room}" data-row="{number}"><title>{told}</title>'
                f'<rect x="{x:.1f}" y="{y}" width="{wide:.1f}" height="{BOX}" rx="6"/>'
                f'<text x="{x + wide / 2:.1f}" y="{y + 24}">{room}</text></g>'
            )
    return "".join([*parts, "</svg>"])


def _purpose(folder, room):
    """The first line of a room's docstring."""
    path = folder / room / "__init__.py"
    path = path if path.is_file() else folder / f"{room}.py"
    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return docstring.split("\n")[0]
