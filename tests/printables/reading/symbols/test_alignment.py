"""Fitting the grid of a symbol to a photo."""

import numpy as np
import pytest

from printables.cards.codes import CardCode, encode, symbol
from printables.reading.symbols.alignment import fit_poses
from printables.reading.symbols.symbol_model import common_modules
from tests.printables.pictures_of_symbols import corners_of, picture, placed

CODES = [encode(CardCode(5, card, 1, 1)) for card in range(1, 9)]


def test_common_modules_are_the_same_on_all_symbols():
    common = common_modules()
    drawn = np.stack([symbol(code) for code in CODES])
    known = common != 0.5
    assert known.sum() == 441 - 208
    assert (drawn[:, known] == common[known].astype(bool)).all()


@pytest.mark.parametrize("turn", [0, 30, 90, 200, 275])
@pytest.mark.parametrize("module_px", [1.4, 2.5])
def test_a_rough_quadrilateral_is_refined_to_a_pose(turn, module_px):
    true = placed(60, 58, module_px, turn, 0.87)
    seen = picture([(CODES[0], true)], (120, 120), blur_px=0.5 * module_px, noise=3)
    rough = corners_of([true]) + np.random.default_rng(turn).normal(0, module_px * 0.5, (1, 4, 2))
    poses = fit_poses(seen, np.roll(rough, turn % 4, axis=1))
    assert np.abs(poses.corners() - corners_of([true])).max() < 0.25 * module_px
    assert poses.correlation[0] > 0.9


def test_noise_does_not_resemble_a_symbol():
    noise = np.random.default_rng(0).integers(0, 256, (100, 100)).astype(np.uint8)
    square = np.array([[[30, 30], [70, 30], [70, 70], [30, 70]]], float)
    assert not (fit_poses(noise, square).correlation > 0.5).any()


def test_no_quadrilaterals_give_no_poses():
    assert len(fit_poses(np.zeros((50, 50), np.uint8), np.zeros((0, 4, 2)))) == 0
