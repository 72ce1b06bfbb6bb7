"""Waiting for a state, however slow a busy machine is to reach it."""

import time

# Only a state that never comes is a fault.
PATIENCE_S = 120
PAUSE_S = 0.02


def until(reached):
    """What a function gives as soon as that is true; it is asked again and again.

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
