"""A port that stays reserved while its server starts or is down."""

import os
import socket
import sys
import weakref


def free_port(holder):
    """A free port of this computer, reserved as long as `holder` lives.

    On Linux a socket that is bound and never listens does that: whoever asks for any port gets
    another one, and a server that asks for this one gets it. Elsewhere the port is only free now.
    """
    with socket.socket() as bound:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(("127.0.0.1", 0))
        number = bound.getsockname()[1]
        if sys.platform == "linux":
            weakref.finalize(holder, os.close, bound.detach())
    return number
