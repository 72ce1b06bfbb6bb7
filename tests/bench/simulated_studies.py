"""Simulated people for the benches of coverage and error: sorters, and raters of candidates."""

import numpy as np


def sorters(rng, people, stimuli=20, groups=4, noise=0.5, placed=None):
    """Groupings around one truth; people differ in how often they follow a whim of their own.

    The truth is the same in every study; `placed` stimuli are drawn for each where they get parts.
    """
    truth = np.arange(stimuli) % groups
    own = rng.integers(0, groups, (people, stimuli))
    whims = np.clip(noise + 0.2 * rng.normal(size=(people, 1)), 0.02, 0.98)
    array = np.where(rng.random(own.shape) < whims, own, truth)
    if placed is not None:
        for row in array:
            row[rng.choice(stimuli, stimuli - placed, replace=False)] = -1
    return array


def raters(rng, people, queries, candidates=12, noise=1.0, liking=None):
    """Scores from 1 to 7, and what is liked in truth; people differ in how sure they are.

    The queries are new in every study, unless what is liked is given.
    """
    if liking is None:
        liking = rng.normal(size=(queries, candidates))
    spread = noise * np.exp(0.3 * rng.normal(size=(people, 1, 1)))
    scores = 4 + 1.5 * (liking + spread * rng.normal(size=(people, queries, candidates)))
    return np.clip(np.rint(scores), 1, 7), liking


def system(rng, liking, noise):
    """Scores of a system that knows the truth, of some queries better than of others."""
    ease = np.exp(0.5 * rng.normal(size=(len(liking), 1)))
    return liking + noise * ease * rng.normal(size=liking.shape)


def line(what, shares, columns):
    """Print a row of a table of shares in percent."""
    cells = "  ".join(
        f"{column}: {100 * share:5.1f} %" for column, share in zip(columns, shares, strict=True)
    )
    print(f"{what:<62}{cells}", flush=True)
