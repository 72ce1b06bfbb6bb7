"""What the tests of figures share."""

import pytest
from fontTools import subset

# The tables that a PDF does not use: reading them takes two fifths of writing a figure.
LAYOUT = ("GDEF", "GPOS", "GSUB", "MATH", "kern")


@pytest.fixture(scope="session", autouse=True)
def fonts_without_layout():
    """Load the fonts that are embedded in figures without the tables of their layout."""
    load = subset.load_font

    def load_outlines(*place, **options):
        font = load(*place, **options)
        for table in {*LAYOUT} & {*font.keys()}:
            del font[table]
        return font

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(subset, "load_font", load_outlines)
        yield
