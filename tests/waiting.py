"""Waiting for a state, however slow a busy machine is to reach it."""

import time

# Only a state that is never reached is a failure.
PATIENCE_S = 120
PAUSE_S = 0.02


def until(reached):
    """Call a function repeatedly, and return its result as soon as it is true.

    Raises
    ------
    TimeoutError
    """
    end = time.monotonic() + PATIENCE_S
    while not (found := reached()):
        if time.monotonic() > end:
            raise TimeoutError
        time.sleep(PAUSE_S)
    return found
