"""The colours of groups on paper, over photos and on pages."""

GROUP_COLOURS = (
    "#0077aa",
    "#770011",
    "#113377",
    "#dd1100",
    "#555566",
    "#8844ff",
    "#7711aa",
    "#886655",
    "#aa0000",
    "#2222dd",
    "#443344",
    "#cc2299",
)
"""White text is readable on each (contrast at least 4.5), and people with protanopia, deuteranopia
or tritanopia can distinguish any two (OKLab distance at least 0.08 in the simulation of Machado,
Oliveira and Fernandes, 2009). Found by farthest-point search, most distant colours first."""


def colour_number(group: int) -> int:
    """The number of a group's colour, from 1; the colours repeat after the last."""
    return (group - 1) % len(GROUP_COLOURS) + 1


def is_repeated(group: int) -> bool:
    """Whether an earlier group has the same colour, so that a pattern must distinguish them."""
    return group > len(GROUP_COLOURS)
