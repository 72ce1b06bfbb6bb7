"""The number of threads for matrix products."""

import os


def one_thread() -> None:
    """Run matrix products on the calling thread; must be called before numpy is imported.

    Products for a photo or a page are small: on a busy computer, their threads wait for each other,
    and a photo takes several times as long.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
