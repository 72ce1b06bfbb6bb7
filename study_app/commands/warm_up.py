"""What a server does once after its start, so that its first pages are as fast as later ones."""

from __future__ import annotations

import gc
import threading
from importlib import import_module
from typing import TYPE_CHECKING

from study_app.core.caching import shared_results

if TYPE_CHECKING:
    from flask import Flask

# Loading these takes longer than computing a small gold standard with them.
LIBRARIES = (
    "analysis.groupings.hierarchy",
    "analysis.groupings.set_agreement",
    "analysis.ratings.task_agreement",
    "scipy.cluster.hierarchy",
    "scipy.sparse",
    "scipy.special",
)


def in_background(app: Flask) -> None:
    """Warm up beside the first requests."""
    threading.Thread(target=warm_up, args=(app,), name="warm-up", daemon=True).start()


def warm_up(app: Flask) -> None:
    """Compile all templates, read what stored results depend on, load what small results are
    computed with, and tell the garbage collector to leave alone what stays in memory anyway.

    The garbage collector would look through half a million objects of modules and templates, now
    and then during a request.
    """
    for name in app.jinja_env.list_templates():
        app.jinja_env.get_template(name)
    shared_results.program()
    for name in LIBRARIES:
        import_module(name)
    gc.collect()
    gc.freeze()
