"""Progress bars, and steps of longer work."""

import io
import sys

from basics.progress import progress_bar, step_of


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_the_bar_is_shown_in_a_terminal_only(monkeypatch):
    for stream, shown in ((Terminal(), True), (io.StringIO(), False)):
        monkeypatch.setattr(sys, "stderr", stream)
        with progress_bar("Drawing") as progress:
            progress(1, 4)
            progress(4, 4)
        assert ("100%" in stream.getvalue()) is shown


def test_steps_report_percent_of_the_whole():
    reports = []
    second = step_of(lambda *report: reports.append(report), 1, 4)
    second(0, 8, "Copying")
    second(4, 8, "Copying")
    second(8, 8, "Copying")
    step_of(lambda *report: reports.append(report), 3, 4)(0, 0, "Drawing")
    assert reports == [
        (25, 100, "Copying, 0 of 8"),
        (37, 100, "Copying, 4 of 8"),
        (50, 100, "Copying, 8 of 8"),
        (100, 100, "Drawing"),
    ]
