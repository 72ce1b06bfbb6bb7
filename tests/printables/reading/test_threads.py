"""Limiting OpenCV and numpy's matrix products to one thread."""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import cv2
import pytest

from printables.reading.threads import one_thread

PRODUCTS = """
import json
from threadpoolctl import ThreadpoolController
from printables.reading.threads import one_thread

def threads():
    products = ThreadpoolController().select(user_api="blas").info()
    return max((library["num_threads"] for library in products), default=1)

seen = [threads()]
with one_thread:
    seen.append(threads())
print(json.dumps([*seen, threads()]))
"""


@pytest.fixture
def two_threads():
    before = cv2.getNumThreads()
    cv2.setNumThreads(2)
    yield
    cv2.setNumThreads(before)


def test_opencv_has_one_thread_and_then_as_many_as_before(two_threads):
    with one_thread:
        assert cv2.getNumThreads() == 1
    assert cv2.getNumThreads() == 2


def test_matrix_products_have_one_thread_and_then_as_many_as_before():
    # a process of its own, since numpy takes the number of threads when it is imported
    settings = {**os.environ, "OPENBLAS_NUM_THREADS": "2"}
    done = subprocess.run(
        [sys.executable, "-c", PRODUCTS], env=settings, capture_output=True, text=True, check=True
    )
    before, during, after = json.loads(done.stdout)
    assert during == 1
    assert after == before


def test_opencv_has_as_many_threads_as_before_after_a_failure(two_threads):
    with pytest.raises(ValueError, match="broken"), one_thread:
        raise ValueError("broken")
    assert cv2.getNumThreads() == 2


def test_opencv_has_one_thread_until_the_last_of_two_concurrent_reads_ends(two_threads):
    first_began, second_began, first_ended = Event(), Event(), Event()

    @one_thread
    def first_read():
        first_began.set()
        assert second_began.wait(60)

    @one_thread
    def second_read():
        second_began.set()
        assert first_ended.wait(60)
        return cv2.getNumThreads()

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(first_read)
        assert first_began.wait(60)
        second = pool.submit(second_read)
        first.result()
        first_ended.set()
        assert second.result() == 1
    assert cv2.getNumThreads() == 2
