"""What rules of exclusion ask about a sitting, whatever the method."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Facts:
    """How somebody judged in one sitting; None if it is not known or does not apply.

    Attributes
    ----------
    checks_failed : int or None
        Attention checks that were not passed.
    median_response_ms : float or None
        From a stimulus being shown to its answer, in milliseconds.
    minutes : float or None
        From the start of the sitting to its end.
    same_share : float or None
        Share of the commonest answer among all answers, 0 to 1. At a table: of the cards in the
        largest group, or of the cards that are each alone, whichever is more.
    done_share : float
        Share of the trials or cards that are done, 0 to 1.
    """

    checks_failed: int | None
    median_response_ms: float | None
    minutes: float | None
    same_share: float | None
    done_share: float


BySitting = Mapping[int, Facts]
