"""Estimating the blur of a photo from its edges."""

import cv2
import numpy as np
import pytest

from printables.reading.photos.sharpness import edge_blur, has_motion_blur


@pytest.mark.parametrize("blur", [0.8, 1.5, 3.0, 6.0])
def test_the_blur_of_a_single_edge(blur):
    step = np.full((600, 800), 60, np.uint8)
    step[:, ::160] = step[::160] = 200
    step = cv2.dilate(step, np.ones((80, 80), np.uint8))
    assert edge_blur(cv2.GaussianBlur(step, (0, 0), blur)) == pytest.approx(blur, abs=0.3)


@pytest.mark.parametrize("level", [0, 128, 255])
def test_a_picture_without_edges_gives_no_estimate(level):
    assert edge_blur(np.full((300, 400), level, np.uint8)) is None
    assert edge_blur(np.full((30, 40), level, np.uint8)) is None


@pytest.mark.parametrize("length, moved", [(1, False), (9, True)])
def test_a_photo_with_motion_blur_is_recognised(length, moved):
    blots = np.random.default_rng(4).normal(size=(1200, 900)).astype(np.float32)
    paper = (cv2.GaussianBlur(blots, (0, 0), 8) > 0).astype(np.uint8) * 180
    streak = np.eye(length, dtype=np.float32) / length
    corners = np.array([[[100, 100], [800, 100], [800, 800], [100, 800]]], float)
    assert has_motion_blur(cv2.filter2D(paper, -1, streak), corners) is moved


def test_a_striped_table_is_not_mistaken_for_motion_blur():
    table = np.full((600, 600), 200, np.uint8)
    table[::8] = 40
    table[100:400, 100:400] = 230
    modules = np.random.default_rng(1).integers(0, 2, (20, 20)) * 230
    table[150:350, 150:350] = modules.repeat(10, 0).repeat(10, 1)
    corners = np.array([[[150, 150], [350, 150], [350, 350], [150, 350]]], float)
    assert not has_motion_blur(table, corners)
    assert not has_motion_blur(table, corners[:0])
