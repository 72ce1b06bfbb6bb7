"""The mutually exclusive options --similarity and --distance."""

from collections.abc import Callable
from functools import wraps
from typing import Any

import click


def direction_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add both options; the command receives `direction`: "similarity", "distance" or None."""

    @click.option("--similarity", is_flag=True, help="Greater is more similar.")
    @click.option("--distance", is_flag=True, help="Smaller is more similar.")
    @wraps(command)
    def directed(similarity: bool, distance: bool, **given: Any) -> Any:
        if similarity and distance:
            raise click.UsageError("Give --similarity or --distance, not both.")
        direction = "similarity" if similarity else "distance" if distance else None
        return command(direction=direction, **given)

    return directed
