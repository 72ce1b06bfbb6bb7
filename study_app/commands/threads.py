"""How many threads the matrix products of a verb may take."""

import os


def one_thread() -> None:
    """Let products run on the thread that asks for them; called before numpy is imported.

    Those of a photo or a page are small: on a busy machine their threads wait for each other, and
    a photo took several times as long.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
