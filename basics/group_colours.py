"""The colours that tell groups apart, on paper, over photos and in pages."""

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
"""White words stand out on each (contrast at least 4.5), and any two stay apart for people with
protanopia, deuteranopia and tritanopia (OKLab distance at least 0.08 in the simulation of Machado,
Oliveira and Fernandes 2009): found by farthest-point search, the most distant ones first."""


def colour_number(group: int) -> int:
    """Which colour a group has, from 1; after the last the first comes again."""
    return (group - 1) % len(GROUP_COLOURS) + 1


def comes_again(group: int) -> bool:
    """Whether an earlier group has the same colour, so that a pattern must tell them apart."""
    return group > len(GROUP_COLOURS)
