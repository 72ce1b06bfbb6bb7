"""Paper sizes, by name and by measures."""

import pytest

from printables.errors import PaperError
from printables.sheets.papers import paper_size


def test_paper_sizes_by_name_and_by_measures():
    assert paper_size("A4") == (210, 297)
    assert paper_size("letter") == (215.9, 279.4)
    assert paper_size("148.5×210") == (148.5, 210)


@pytest.mark.parametrize("name", ["a5x", "0x100", "infx100"])
def test_other_sizes_are_refused(name):
    with pytest.raises(PaperError, match="is not a paper"):
        paper_size(name)
