"""Pairwise comparisons of systems, as pages show them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import isnan
from typing import Any

import numpy as np
from numpy.typing import NDArray

# A chart's measure, the (value, low, high) of each system, and the human band.
Bounded = tuple[float, float | None, float | None]
ChartOf = tuple[str, Sequence[Bounded | None], tuple[float, float] | None]
# Largest number of pairs that a page lists; a system's own page always lists its pairs.
MOST_LISTED = 45
SURE = 0.05


@dataclass(frozen=True)
class Compared:
    """Every pair of systems.

    Attributes
    ----------
    names : list of str
    pairs : int array, shape (pairs, 2)
        Indices into `names`.
    difference, p, p_holm : float arrays, shape (pairs,)
        First minus second; its p value, without and with Holm's correction. NaN if undefined.
    """

    names: Sequence[str]
    pairs: NDArray[np.int64]
    difference: NDArray[np.float64]
    p: NDArray[np.float64]
    p_holm: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.pairs)

    def can_differ(self, units: int) -> bool:
        """Whether a permutation test over so many units can be significant with Holm's correction.

        Its smallest p is 2 of the 2**units equally likely sign flips.
        """
        return 2 / 2**units * len(self) < SURE

    def listed(self) -> list[dict[str, Any]]:
        """Every pair, the better one first; the smallest p at the top."""
        rows = [
            {
                "first": self.names[a if gap >= 0 else b],
                "second": self.names[b if gap >= 0 else a],
                "difference": abs(gap),
                "p": chance,
                "p_holm": corrected,
            }
            for (a, b), gap, chance, corrected in self._rows(slice(None))
        ]
        return sorted(rows, key=lambda row: (isnan(row["p_holm"]), row["p_holm"], row["p"]))

    def significant_counts(self) -> dict[str, list[int]]:
        """By system, the number of others that it is significantly better, and significantly worse
        than."""
        sure = self.p_holm < SURE
        better = np.where(self.difference >= 0, self.pairs[:, 0], self.pairs[:, 1])
        worse = self.pairs.sum(axis=1) - better
        counts = [np.bincount(at[sure], minlength=len(self.names)) for at in (better, worse)]
        return dict(zip(self.names, np.transpose(counts).tolist(), strict=True))

    def of_one(self, name: str) -> list[dict[str, Any]]:
        """A system against each other one: the greatest lead first."""
        own = self.names.index(name)
        rows = []
        for (a, b), gap, chance, corrected in self._rows((self.pairs == own).any(axis=1)):
            lead = gap if a == own else -gap
            other = self.names[b if a == own else a]
            rows.append({"other": other, "gap": lead, "p": chance, "p_holm": corrected})
        return sorted(rows, key=lambda row: (isnan(row["gap"]), -row["gap"], row["other"]))

    def _rows(
        self, chosen: slice | NDArray[np.bool_]
    ) -> Iterable[tuple[list[int], float, float, float]]:
        columns = (self.pairs, self.difference, self.p, self.p_holm)
        return zip(*(column[chosen].tolist() for column in columns), strict=True)
