"""Registration of one photo's table with another's, from the cards that both show.

Each shared card proposes a similarity transform; the one with most support is fitted again to all
cards that agree with it.

References
----------
Fischler, M. A., & Bolles, R. C. (1981). Random sample consensus: a paradigm for model fitting with
applications to image analysis and automated cartography. Communications of the ACM, 24(6), 381-395.
(Here every card is tried, not a random sample.)
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

SAME_PLACE_MM = 45.0
"""Distance, in millimetres, within which two photos show a card at the same place; about a card's
shorter side. People who move a card move it further, while lens and tilt misplace the far end of a
table of 150 cards by 30 mm ("joined")."""
_SUPPORT_MM = 60.0
"""Distance, in millimetres, within which a card supports a proposed transform. No joined
photos tried ("joined careless", 60 and 150 cards) differ at 30 or 120."""

Points = NDArray[np.float64]


@dataclass(frozen=True)
class SimilarityTransform:
    """Rotation, scaling and translation in the plane: z -> factor * z + shift for z = x + iy.

    Attributes
    ----------
    factor : complex
        Its argument is the angle of rotation, its absolute value the scale.
    shift : complex
        Millimetres.
    """

    factor: complex = 1.0
    shift: complex = 0.0

    def __call__(self, points: Points) -> Points:
        """Transform points, shape (..., 2)."""
        mapped = self.factor * (points[..., 0] + 1j * points[..., 1]) + self.shift
        return np.stack([mapped.real, mapped.imag], -1)

    @classmethod
    def estimate(cls, origin: Points, target: Points) -> "SimilarityTransform":
        """Estimate the transform that most cards support.

        Parameters
        ----------
        origin, target : float array, shape (cards, 4, 2)
            Outlines of the same cards in the two views, millimetres.

        Returns
        -------
        SimilarityTransform
            From origin to target; the identity if there is no card.
        """
        if not len(origin):
            return cls()
        proposals = [cls._fit(a[None], b[None]) for a, b in zip(origin, target, strict=True)]
        supporters = [
            np.linalg.norm((proposal(origin) - target).mean(1), axis=-1) < _SUPPORT_MM
            for proposal in proposals
        ]
        best = max(supporters, key=np.count_nonzero)
        rough = cls._fit(origin[best], target[best])
        near = np.linalg.norm((rough(origin) - target).mean(1), axis=-1) < SAME_PLACE_MM
        return cls._fit(origin[near], target[near]) if near.any() else rough

    @classmethod
    def _fit(cls, origin: Points, target: Points) -> "SimilarityTransform":
        """The least-squares transform between points."""
        a = (origin[..., 0] + 1j * origin[..., 1]).ravel()
        b = (target[..., 0] + 1j * target[..., 1]).ravel()
        centred = a - a.mean()
        factor = complex((centred.conj() @ (b - b.mean())) / (centred.conj() @ centred))
        return cls(factor, complex(b.mean() - factor * a.mean()))
