"""Limiting OpenCV to one thread."""

import cv2
import pytest

from printables.reading.one_thread import one_thread


@pytest.fixture
def two_threads():
    before = cv2.getNumThreads()
    cv2.setNumThreads(2)
    yield
    cv2.setNumThreads(before)


def test_opencv_has_one_thread_and_then_as_many_as_before(two_threads):
    with one_thread():
        assert cv2.getNumThreads() == 1
    assert cv2.getNumThreads() == 2


def test_opencv_has_as_many_threads_as_before_after_a_failure(two_threads):
    with pytest.raises(ValueError, match="broken"), one_thread():
        raise ValueError("broken")
    assert cv2.getNumThreads() == 2
