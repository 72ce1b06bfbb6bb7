"""The calibration page: rulers in millimetres, and crosses that show the shift between the sides of
a sheet."""

from printables.sheets.face import QUIET, Line, TextLine

RULER_MM, MARGIN_MM = 150, 25.0
_TICKS = {0: 6.0, 5: 4.5}
_CROSS_MM = 10

Drawing = tuple[tuple[Line, ...], tuple[TextLine, ...]]


def calibration_marks(
    width_mm: float, height_mm: float, side: str, duplex: bool, offset_mm: tuple[float, float]
) -> Drawing:
    """Make the lines and text of the calibration page.

    Parameters
    ----------
    width_mm, height_mm : float
        Size of the page.
    side : {"front", "back"}
        The back has only the second cross.
    duplex : bool
        Whether the sheet has a back.
    offset_mm : (float, float)
        Shift of backs to the right and down, millimetres.

    Returns
    -------
    lines, words : tuples of Line and of TextLine
    """
    middle = (width_mm / 2, height_mm / 2)
    if side == "back":
        x, y = middle[0] + offset_mm[0], middle[1] + offset_mm[1]
        return _cross(x, y, 0), ()
    across = int(min(RULER_MM, width_mm - 2 * MARGIN_MM) // 10 * 10)
    down = int(min(RULER_MM, height_mm - 2 * MARGIN_MM) // 10 * 10)
    rulers = [_ruler(across, across=True), _ruler(down, across=False)]
    lines = tuple(line for ruler, _ in rulers for line in ruler)
    words = tuple(word for _, figures in rulers for word in figures)
    notes = [
        "Print at actual size (100 %). Measure both scales with a ruler:",
        f"they should be {across} mm and {down} mm long. If they are not, the printer has scaled",
        "the page: codes can still be read, but fronts and backs may not match.",
    ]
    if duplex:
        lines += _cross(*middle, 1)
        notes += [
            "Turn the sheet over and hold it against the light: the two crosses should coincide.",
            "If the cross on the back is 1 mm too far to the right and 2 mm too low,",
            "change the offset by −1 mm and −2 mm.",
        ]
    x = MARGIN_MM + 15
    text = [TextLine(note, x, MARGIN_MM + 22 + 5 * row, 9.0) for row, note in enumerate(notes)]
    title = TextLine("Calibration", x, MARGIN_MM + 15, 13.0, bold=True)
    return lines, (title, *text, *words)


def _ruler(length: int, across: bool) -> Drawing:
    """A ruler along the upper margin, or along the left margin unless `across`."""
    lines = [_turned(0, 0, length, 0, across)]
    words = []
    for mm in range(length + 1):
        tick = _TICKS[0] if mm % 10 == 0 else _TICKS.get(mm % 10, 3.0)
        lines.append(_turned(mm, 0, mm, -tick, across))
        if mm % 10 == 0:
            figure = _turned(mm, -8 if across else -10, 0, 0, across)
            drop = 0.0 if across else 0.9
            label = f"{mm} mm" if mm == length and across else f"{mm}"
            words.append(
                TextLine(label, figure.x1, figure.y1 + drop, 7.0, centred=True, grey=QUIET)
            )
    return tuple(lines), tuple(words)


def _turned(x1: float, y1: float, x2: float, y2: float, across: bool) -> Line:
    """A line of a ruler; x and y are exchanged for the ruler along the left margin."""
    if not across:
        x1, y1, x2, y2 = y1, x1, y2, x2
    return Line(MARGIN_MM + x1, MARGIN_MM + y1, MARGIN_MM + x2, MARGIN_MM + y2)


def _cross(x: float, y: float, tick: float) -> tuple[Line, ...]:
    """A cross at (x, y), with millimetre ticks of this length unless it is 0."""
    reach = _CROSS_MM
    lines = [Line(x - reach, y, x + reach, y), Line(x, y - reach, x, y + reach)]
    for mm in range(-reach, reach + 1) if tick else ():
        lines.append(Line(x + mm, y - tick, x + mm, y + tick))
        lines.append(Line(x - tick, y + mm, x + tick, y + mm))
    return tuple(lines)
