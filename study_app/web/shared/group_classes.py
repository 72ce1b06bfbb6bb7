"""The CSS class with a group's colour."""

from basics.group_colours import colour_number, is_repeated


def group_class(number: int | None) -> str:
    """The colour of a group's number, with a pattern once colours repeat; "out" for no group."""
    if not number:
        return "out"
    return f"g{colour_number(number)}{' again' if is_repeated(number) else ''}"
