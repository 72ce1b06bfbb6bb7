"""Facts about a sitting for exclusion rules, for all methods."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Facts:
    """Facts about one sitting; None if unknown or not applicable.

    Attributes
    ----------
    checks_failed : int or None
        Attention checks that were not passed.
    median_response_ms : float or None
        From a stimulus being shown to its answer, in milliseconds.
    minutes : float or None
        From the start of the sitting to its end.
    same_share : float or None
        Share of the most frequent answer, 0 to 1. At a table: share of the cards in the largest
        group or of single cards, whichever is larger.
    done_share : float
        Share of the trials or cards done, 0 to 1.
    """

    checks_failed: int | None
    median_response_ms: float | None
    minutes: float | None
    same_share: float | None
    done_share: float


BySitting = Mapping[int, Facts]
