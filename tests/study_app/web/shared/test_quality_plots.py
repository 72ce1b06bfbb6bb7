"""The dots of a measure: everybody is counted, and flagged people are always drawn."""

from collections import namedtuple

from study_app.web.shared import quality_plots
from study_app.web.shared.quality_plots import Measure, lines_of

One = namedtuple("One", "code pace flags")
PACE = Measure("pace", "Pace", "{:.0f}".format, ("pace",))


def _line(people):
    (line,) = lines_of(people, [PACE], lambda one: one.code)
    return line


def test_equal_values_share_a_dot_unless_flagged():
    people = [One("P1", 0, ()), One("P2", 50, ()), One("P3", 50, ()), One("P4", 50, ())]
    people += [One("P5", 50, ("pace",)), One("P6", 100, ())]
    line = _line(people)
    assert [(dot.at, dot.name, dot.stands_out) for dot in line.drawn] == [
        ("2.00%", "P1", False),
        ("50.00%", "P2 and 2 others", False),
        ("98.00%", "P6", False),
        ("50.00%", "P5", True),
    ]
    assert line.in_words == "Pace: 6 people, from 0 to 100; 1 flagged"


def test_close_values_share_a_dot_in_large_groups():
    many = [One(f"P{n}", n, ("pace",) * (n == 7)) for n in range(1_000)]
    line = _line(many)
    assert len(line.dots) == 1_000 and len(line.drawn) <= 100 / quality_plots.CLOSE
    assert [dot.name for dot in line.drawn if dot.stands_out] == ["P7"]
