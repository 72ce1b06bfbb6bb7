"""Limiting OpenCV and numpy's matrix products to one thread."""

from contextlib import ContextDecorator
from functools import cache
from threading import Lock
from typing import Any

import cv2
from threadpoolctl import ThreadpoolController


class _OneThread(ContextDecorator):
    """Let OpenCV and matrix products use one thread while photos are read.

    Their other threads wait actively between tasks: OpenCV's take an eighth more processor time,
    those of matrix products twice as much as reading a photo. The limit applies to the whole
    process, so it ends with the last of several concurrent reads.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._reads = 0
        self._threads = 0
        self._products: Any = None

    def __enter__(self) -> None:
        with self._lock:
            if not self._reads:
                self._threads = cv2.getNumThreads()
                cv2.setNumThreads(1)
                self._products = _matrix_products().limit(limits=1)
            self._reads += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._reads -= 1
            if not self._reads:
                cv2.setNumThreads(self._threads)
                self._products.restore_original_limits()


@cache
def _matrix_products() -> ThreadpoolController:
    """The loaded libraries for matrix products; finding them takes longer than setting a limit."""
    return ThreadpoolController().select(user_api="blas")


one_thread = _OneThread()
