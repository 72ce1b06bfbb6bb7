"""The bar that long work moves."""

import io
import sys

from basics.progress import progress_bar


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_the_bar_moves_at_a_terminal_only(monkeypatch):
    for stream, shown in ((Terminal(), True), (io.StringIO(), False)):
        monkeypatch.setattr(sys, "stderr", stream)
        with progress_bar("Drawing") as progress:
            progress(1, 4)
            progress(4, 4)
        assert ("100%" in stream.getvalue()) is shown
