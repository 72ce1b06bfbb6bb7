"""Limiting OpenCV to one thread."""

from contextlib import ContextDecorator
from threading import Lock

import cv2


class _OneOpenCVThread(ContextDecorator):
    """Let OpenCV use one thread while photos are read.

    Its other threads wait actively between tasks, which takes an eighth more processor time. The
    limit applies to the whole process, so it ends with the last of several concurrent reads.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._reads = 0
        self._threads = 0

    def __enter__(self) -> None:
        with self._lock:
            if not self._reads:
                self._threads = cv2.getNumThreads()
                cv2.setNumThreads(1)
            self._reads += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._reads -= 1
            if not self._reads:
                cv2.setNumThreads(self._threads)


one_opencv_thread = _OneOpenCVThread()
