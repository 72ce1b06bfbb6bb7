"""How simulated participants score: by similarity of ink, with noise; or carelessly."""

import io
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

Floats = NDArray[np.float64]

SIDE = 12
# Standard deviations of single judgments and of a participant's bias; the scale has length 1.
JUDGMENT_NOISE = 0.14
LEANING = 0.06


def ink(picture: bytes) -> Floats:
    """The ink of a picture, coarse and centred: a float array of length SIDE * SIDE."""
    grey = Image.open(io.BytesIO(picture)).convert("L").resize((SIDE, SIDE), Image.Resampling.BOX)
    dark = 255.0 - np.asarray(grey, dtype=float).ravel()
    return dark - dark.mean()


def similarity(sketch: Floats, images: Floats) -> Floats:
    """Similarity of each image's ink to the sketch's, as ranks spread evenly over [0, 1].

    Parameters
    ----------
    sketch : float array, shape (n,)
    images : float array, shape (images, n)

    Returns
    -------
    float array, shape (images,)
        1 is most similar; ties are broken by position.
    """
    norms = np.linalg.norm(images, axis=1) * np.linalg.norm(sketch)
    cosine = images @ sketch / np.where(norms, norms, 1)
    places = np.argsort(np.argsort(cosine, kind="stable"), kind="stable")
    return places / max(1, len(images) - 1)


class Judge:
    """A careful simulated participant: scores by similarity."""

    def __init__(self, seed: int | list[int]) -> None:
        self.draw = np.random.default_rng(seed)
        self.leaning = self.draw.normal(0, LEANING)

    def response_ms(self) -> int:
        """Response time for one image, 2 s on average."""
        return int(self.draw.gamma(4, 500))

    def scores(self, task: dict[str, Any], alike: Floats) -> list[int]:
        """Scores on the task's scale for similarities in [0, 1]."""
        noisy = alike + self.leaning + self.draw.normal(0, JUDGMENT_NOISE, len(alike))
        return _on_scale(task, np.clip(noisy if task["best"] == "high" else 1 - noisy, 0, 1))


class RandomClicker(Judge):
    """Scores at random, quickly."""

    def response_ms(self) -> int:
        """Response time for one image, 320 ms on average."""
        return int(self.draw.gamma(4, 80))

    def scores(self, task: dict[str, Any], alike: Floats) -> list[int]:
        """Random scores."""
        return _on_scale(task, self.draw.random(len(alike)))


class StraightLiner(Judge):
    """Gives every image the same score, at an ordinary pace."""

    def scores(self, task: dict[str, Any], alike: Floats) -> list[int]:
        """The middle of the scale."""
        return _on_scale(task, np.full(len(alike), 0.5))


def _on_scale(task: dict[str, Any], values: Floats) -> list[int]:
    """Convert values in [0, 1] to scores on the task's scale."""
    if task["points"]:
        steps = np.minimum(np.floor(values * task["points"]), task["points"] - 1)
        return [int(step) + 1 for step in steps]
    return [round(float(value) * 100) for value in values]
