"""Who the quality page points out: random clickers and straight-liners among careful people.

Each study has 40 participants who score by what they see, some with up to three times the noise,
some twice as fast or slow as others. Besides them, 4 click at random, 4 do so at an ordinary pace,
so that only their scores can give them away (`slow`), and 4 give one score throughout (`lines`), on
40 images a query. Everything is stored as the page sends it, and measured as the quality page does.

    python -m tests.bench.bench_quality [--studies 3]

`found` is the share of the careless who have a flag (sensitivity), `false` the share of the careful
who have one (false alarms).
"""

import argparse
import tempfile
from collections import Counter
from pathlib import Path

import numpy as np

from study_app import create_app
from study_app.core.config import Settings
from study_app.core.database import close, db
from study_app.models.ranking import RankingTask
from study_app.ranking.progress.quality import quality_of
from study_app.ranking.scores.entries import Entry
from study_app.simulation.judge import Judge, RandomClicker, StraightLiner
from tests.ranking_fixtures import Participant
from tests.ranking_setup import make_link, make_task

CAREFUL, CARELESS, IMAGES = 40, 4, 40
TASK = {"points": 7, "best": "low"}


class Varied(Judge):
    """Careful, each in their own way: more or less sure, faster or slower."""

    def __init__(self, seed):
        super().__init__(seed)
        self.noise, self.pace = self.draw.uniform(0, 0.35), self.draw.lognormal(0, 0.3)

    def response_ms(self):
        return int(super().response_ms() * self.pace)

    def scores(self, task, alike):
        return super().scores(task, alike + self.draw.normal(0, self.noise, len(alike)))


class SlowClicker(RandomClicker):
    """Scores at random, at an ordinary pace."""

    response_ms = Judge.response_ms


KINDS = {"careful": Varied, "clicker": RandomClicker, "slow": SlowClicker, "line": StraightLiner}


def main():
    """Print one row for each number of queries a participant."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--studies", type=int, default=3)
    parser.add_argument("--queries", type=int, nargs="+", default=[2, 4, 8])
    chosen = parser.parse_args()
    print(
        f"{'queries':>7}{'clickers':>10}{'slow':>8}{'lines':>8}{'false':>8}   flags of the careful"
    )
    for queries in chosen.queries:
        seen, found, flags = Counter(), Counter(), Counter()
        for seed in range(chosen.studies):
            for kind, names in _study(queries, seed):
                seen[kind] += 1
                found[kind] += bool(names)
                flags.update(names if kind == "careful" else ())
        rates = [found[kind] / seen[kind] for kind in ("clicker", "slow", "line", "careful")]
        shown = "".join(
            f"{rate:>{width}.0%}" for rate, width in zip(rates, (10, 8, 8, 8), strict=True)
        )
        print(f"{queries:>7}{shown}   {dict(flags)}", flush=True)


def _study(queries, seed):
    """Kind and flags of everybody in one study."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings.of(Path(folder) / "instance", f"sqlite:///{folder}/study.sqlite3")
        app = create_app(settings)
        try:
            task_id = make_task(app, Path(folder) / "p", queries=queries, images=IMAGES, quota=99)
            kinds = ["careful"] * CAREFUL + [k for k in KINDS if k != "careful"] * CARELESS
            people = {}
            for number, kind in enumerate(kinds):
                somebody = Participant(app, make_link(app, task_id))
                _score(somebody, KINDS[kind]([seed, number]))
                people[somebody.code] = kind
            with app.app_context():
                measured = quality_of(db.session, db.session.get(RankingTask, task_id))
                return [(people[one.code], one.flags) for one in measured]
        finally:
            close(app)


def _score(somebody, judge):
    """Score every query as the page sends it; how alike an image is goes with its number."""
    for position, _, order in somebody.queries:
        rank = np.argsort(np.argsort([(7919 * image) % 101 for image in order]))
        scores = judge.scores(TASK, rank / (len(order) - 1))
        entries = [
            Entry(
                f"{somebody.sitting_id}-{position}-{image}",
                "score",
                position,
                image,
                score,
                response_ms=judge.response_ms(),
            )
            for image, score in zip(order, scores, strict=True)
        ]
        somebody.send(
            *entries, Entry(f"{somebody.sitting_id}-{position}-done", "submitted", position)
        )


if __name__ == "__main__":
    main()
