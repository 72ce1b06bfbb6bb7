"""Fixtures for figures."""

import pytest
from fontTools import subset

# Tables that a PDF does not use; reading them takes two fifths of the time to write a figure.
LAYOUT = ("GDEF", "GPOS", "GSUB", "MATH", "kern")


@pytest.fixture(scope="session", autouse=True)
def fonts_without_layout():
    """Load fonts for figures without their layout tables."""
    load = subset.load_font

    def load_outlines(*place, **options):
        font = load(*place, **options)
        for table in {*LAYOUT} & {*font.keys()}:
            del font[table]
        return font

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(subset, "load_font", load_outlines)
        yield
