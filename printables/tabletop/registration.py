"""Rotation, scaling and shift of one view of a table onto another, by the cards that both show."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

SAME_PLACE_MM = 45.0
"""A card's shorter side, in millimetres: people move a card further, while lens and tilt misplace
the far end of a table of 150 cards by 30 mm ("joined")."""
_ROUGH_MM = 60.0
"""Millimetres within which a card supports a proposed move of a photo, before it is refined. Chosen
by trial."""

Points = NDArray[np.float64]


@dataclass(frozen=True)
class SimilarityTransform:
    """Rotation, scaling and shift, as complex numbers: z -> turn * z + shift."""

    turn: complex = 1.0
    shift: complex = 0.0

    def __call__(self, points: Points) -> Points:
        moved = self.turn * (points[..., 0] + 1j * points[..., 1]) + self.shift
        return np.stack([moved.real, moved.imag], -1)

    @classmethod
    def estimate(cls, origin: Points, target: Points) -> "SimilarityTransform":
        """The move that most cards agree on; each card proposes one, from its four corners.

        Parameters
        ----------
        origin, target : float array, shape (cards, 4, 2)
            Outlines of the same cards in the two views.
        """
        if not len(origin):
            return cls()
        proposals = [cls._fit(a[None], b[None]) for a, b in zip(origin, target, strict=True)]
        agreeing = [
            np.linalg.norm((move(origin) - target).mean(1), axis=-1) < _ROUGH_MM
            for move in proposals
        ]
        best = max(agreeing, key=np.count_nonzero)
        move = cls._fit(origin[best], target[best])
        near = np.linalg.norm((move(origin) - target).mean(1), axis=-1) < SAME_PLACE_MM
        return cls._fit(origin[near], target[near]) if near.any() else move

    @classmethod
    def _fit(cls, origin: Points, target: Points) -> "SimilarityTransform":
        a = (origin[..., 0] + 1j * origin[..., 1]).ravel()
        b = (target[..., 0] + 1j * target[..., 1]).ravel()
        centred = a - a.mean()
        turn = complex((centred.conj() @ (b - b.mean())) / (centred.conj() @ centred))
        return cls(turn, complex(b.mean() - turn * a.mean()))
