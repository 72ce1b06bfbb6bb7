"""The rankings of a task: each query's images in the order of their mean score."""

from analysis.ratings import ground_truth


def rankings(gold):
    """Each query with its images, the most similar first."""
    return [_ranking(gold, at, query) for at, query in enumerate(gold.queries)]


def agreement(gold):
    return None


def _ranking(gold, at, query):
    names = gold.candidates[at]
    truth = ground_truth(gold.scores[:, at, : len(names)], gold.ratings.best)
    order = sorted(range(len(names)), key=lambda column: (truth.rank[column], names[column]))
    return {
        "query": query,
        "images": [
            {
                "name": names[column],
                "mean": float(truth.mean[column]),
                "n": int(truth.n[column]),
                "rank": float(truth.rank[column]),
            }
            for column in order
        ],
    }
