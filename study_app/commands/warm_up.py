"""What a server does once after its start, so that its first pages are as fast as later ones."""

from __future__ import annotations

import gc
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flask import Flask


def in_background(app: Flask) -> None:
    """Warm up beside the first requests."""
    threading.Thread(target=warm_up, args=(app,), name="warm-up", daemon=True).start()


def warm_up(app: Flask) -> None:
    """Compile all templates, and stop collecting garbage among what stays in memory anyway.

    The garbage collector would look through half a million objects of modules and templates, now
    and then during a request.
    """
    for name in app.jinja_env.list_templates():
        app.jinja_env.get_template(name)
    gc.collect()
    gc.freeze()
