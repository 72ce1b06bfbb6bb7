"""Dark lines beside overexposed paper, drawn and in rendered photos."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from printables.reading.photos.overexposure import widen_overexposed_lines
from printables.reading.reader import read_codes
from tests.bench import tables
from tests.bench.conditions import EFFECTS
from tests.bench.scenes import print_cards, score
from tests.bench.tables import pictured


def lines(paper):
    """Black lines of four pixels on a sheet, as a camera's lens blurs them."""
    sheet = np.full((120, 200), 0.1, np.float32)
    sheet[20:100, 40:160] = paper
    for line in range(4):
        sheet[20:100, 50 + line : 150 + line : 10] = 0
    return (255 * np.clip(cv2.GaussianBlur(sheet, (0, 0), 1.0), 0, 1)).astype(np.uint8)


def dark_share(grey):
    return (grey[30:90, 45:155] < 128).mean()


def test_lines_on_overexposed_paper_are_as_wide_as_on_other_paper():
    well, over = lines(0.8), lines(2.4)
    widened = widen_overexposed_lines(over)
    assert dark_share(over) < 0.6 * dark_share(well)
    assert 0.7 * dark_share(well) < dark_share(widened) < 1.3 * dark_share(well)
    np.testing.assert_array_equal(widened[:, :20], over[:, :20])


def test_other_photos_are_not_copied():
    grey = lines(0.8)
    assert widen_overexposed_lines(grey) is grey


@pytest.mark.slow
def test_small_symbols_are_read_in_overexposed_photos(monkeypatch):
    monkeypatch.setattr(tables, "MEGAPIXELS", 1.3)
    printed = print_cards(40)
    scene = pictured(printed, 30, replace(EFFECTS["overexposed"], tilt_deg=(10.0, 10.0)), 4)
    found = score(scene, read_codes(scene.jpeg, printed.deck))
    assert scene.module_px() < 1.7
    assert (found.read, found.false) == (30, 0)
