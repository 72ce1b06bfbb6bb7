"""A human ground truth of rankings, and scores of systems in the same layout.

The ground truth is the table written by `analyse ratings`: ``query_id,stimulus_id,mean,…,rank``.
Means give the order; ranks (1 is the most similar) show which end of the scale means most similar.

A system is a CSV table ``query_id,stimulus_id,score`` or a TREC run. It must score all candidates
of all queries, since a correlation over some of them could favour the system. Other scores are
ignored and counted.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from analysis.errors import InputError
from analysis.files.hints import hint
from analysis.files.ratings import numbers_in_range
from analysis.files.runs.direction import Direction, looks_like_run
from analysis.files.tables import Table, read_table
from analysis.simulated import COLUMN, says_simulated
from analysis.statistics.rank_correlation import order_ranks
from basics.wordings import Wording

Values = NDArray[np.float64]
_SAME_MEAN = 1e-6
_SAME_RANK = 1e-6


@dataclass(frozen=True)
class GroundTruth:
    """Mean human judgments of the candidates of queries.

    Attributes
    ----------
    path : Path
    queries : list of str
    candidates : list of list of str
        Candidates of each query, in file order.
    means : float array, shape (queries, most candidates)
        As in the file; 0 where a query has fewer candidates.
    where : bool array, same shape
        True where there is a candidate.
    sign : int
        1 if greater means are more similar, -1 if smaller means are.
    simulated : bool
        Whether a column `simulated` marks any row as simulated.
    """

    path: Path
    queries: list[str]
    candidates: list[list[str]]
    means: Values
    where: NDArray[np.bool_]
    sign: int
    simulated: bool = False

    @property
    def similarity(self) -> Values:
        """Means, negated if smaller means are more similar."""
        return self.sign * self.means

    def places(self) -> dict[tuple[str, str], tuple[int, int]]:
        """Index of each (query, candidate) in `means`."""
        return {
            (query, candidate): (row, column)
            for row, query in enumerate(self.queries)
            for column, candidate in enumerate(self.candidates[row])
        }


def read_ground_truth(path: str | Path) -> GroundTruth:
    """Read a ground truth.

    Parameters
    ----------
    path : path of a CSV table with columns ``query_id``, ``stimulus_id``, ``mean`` and ``rank``

    Returns
    -------
    GroundTruth

    Raises
    ------
    InputError
        With file and line, if a column or value is missing, a mean or rank is out of range, a query
        has a stimulus twice, or the columns mean and rank are swapped; with the query, if its means
        and ranks contradict each other.
    """
    table = read_table(path, ("query_id", "stimulus_id", "mean", "rank"))
    if not len(table):
        raise InputError("has no judgments; add rows of query_id,stimulus_id,mean,rank", path, 1)
    columns: dict[str, list[str]] = {}
    rows: dict[tuple[str, str], int] = {}
    for row, pair in _pairs(table, rows):
        rows[pair] = row
        columns.setdefault(pair[0], []).append(pair[1])
    mean, rank = numbers_in_range(table, "mean"), numbers_in_range(table, "rank")
    shape = (len(columns), max(len(names) for names in columns.values()))
    means, ranks, where = np.zeros(shape), np.zeros(shape), np.zeros(shape, dtype=bool)
    for k, (query, names) in enumerate(columns.items()):
        chosen = [rows[query, name] for name in names]
        means[k, : len(names)], ranks[k, : len(names)] = mean[chosen], rank[chosen]
        where[k, : len(names)] = True
    queries = list(columns)
    sign = _direction(table.path, queries, means, ranks, where)
    simulated = says_simulated(table.columns.get(COLUMN))
    truth = GroundTruth(table.path, queries, list(columns.values()), means, where, sign, simulated)
    _refuse_swapped(truth, table, rows)
    return truth


def read_scores(
    path: str | Path, truth: GroundTruth, direction: Direction = "similarity"
) -> tuple[Values, int]:
    """Read a system's scores.

    Parameters
    ----------
    path : str or Path
        A CSV table ``query_id,stimulus_id,score``, or a TREC run.
    truth : GroundTruth
    direction : {"similarity", "distance"}
        What the scores are; the ranks of a TREC run must not contradict it.

    Returns
    -------
    scores : float array, shape (queries, most candidates)
        As in the file, in the layout of ``truth.means``.
    ignored : int
        Number of scores for pairs that are not in the ground truth.

    Raises
    ------
    ContradictedDirection
        If the ranks of a TREC run contradict the direction.
    InputError
        With file and line, if a column is missing, a score is not a finite number, or a pair is
        scored twice; with the query and candidate, if one is missing.
    """
    path = Path(path)
    places = truth.places()
    scores = np.full(truth.means.shape, np.nan)
    others: list[tuple[str, str]] = []
    for pair, score in _scored(path, direction):
        if pair in places:
            scores[places[pair]] = score
        else:
            others.append(pair)
    missing = np.argwhere(np.isnan(scores) & truth.where)
    if len(missing):
        raise _unscored(path, truth, missing, others)
    return np.where(truth.where, scores, 0.0), len(others)


def _unscored(
    path: Path, truth: GroundTruth, missing: NDArray[np.int64], others: list[tuple[str, str]]
) -> InputError:
    """The error for missing scores, with an example and a likely cause."""
    query, column = missing[0]
    name, asked = truth.candidates[query][column], truth.queries[query]
    queries, stimuli = ({pair[k] for pair in others} for k in (0, 1))
    candidates = (truth.candidates[q][c] for q, c in missing)
    cause = hint(candidates, stimuli, queries - set(truth.queries))
    cause = cause or hint((truth.queries[q] for q, _ in missing), queries)
    if not cause and len(missing) == truth.where.sum():
        cause = Wording("are its columns swapped?")
    return InputError(
        Wording(
            "has no score for candidate %(name)s of query %(asked)s of %(path)s (%(count)s of "
            "%(all)s missing); %(cause)s",
            name=repr(name),
            asked=repr(asked),
            path=truth.path,
            count=len(missing),
            all=truth.where.sum(),
            cause=cause or Wording("score every candidate"),
        ),
        path,
    )


def read_participant_scores(path: str | Path, truth: GroundTruth) -> Values:
    """Read the ratings from which a ground truth was computed.

    Parameters
    ----------
    path : path of a CSV table ``participant_id,query_id,stimulus_id,score``
    truth : GroundTruth

    Returns
    -------
    float array, shape (participants, queries, most candidates)
        In the layout of ``truth.means``; NaN if a participant did not rate.

    Raises
    ------
    InputError
        With file and line, if a row is invalid, is for a pair that is not in the ground truth, or
        repeats a pair; or if the means of the ratings differ from those of the ground truth.
    """
    table = read_table(path, ("participant_id", "query_id", "stimulus_id", "score"))
    people = {name: k for k, name in enumerate(dict.fromkeys(table.ids("participant_id")))}
    ratings = np.full((len(people), *truth.means.shape), np.nan)
    places, score = truth.places(), numbers_in_range(table, "score")
    rows = zip(
        table.ids("participant_id"), table.ids("query_id"), table.ids("stimulus_id"), strict=True
    )
    for row, (person, query, stimulus) in enumerate(rows):
        names = {"stimulus": repr(stimulus), "query": repr(query)}
        if (query, stimulus) not in places:
            cause = hint((name for names in truth.candidates for name in names), {stimulus})
            cause = cause or hint(truth.queries, {query}, {stimulus})
            raise table.error(
                row,
                Wording(
                    "%(stimulus)s of query %(query)s is not in %(path)s; %(cause)s",
                    path=truth.path,
                    cause=cause or Wording("remove the row, or give the matching ground truth"),
                    **names,
                ),
            )
        place = (people[person], *places[query, stimulus])
        if not np.isnan(ratings[place]):
            raise table.error(
                row,
                Wording(
                    "%(person)s has two ratings of %(stimulus)s of query %(query)s; keep one",
                    person=person,
                    **names,
                ),
            )
        ratings[place] = score[row]
    _check_means(table, ratings, truth)
    return ratings


def _check_means(table: Table, ratings: Values, truth: GroundTruth) -> None:
    rated = ~np.isnan(ratings)
    mean = np.where(rated, ratings, 0).sum(0) / np.maximum(rated.sum(0), 1)
    other = truth.where & ~np.isclose(mean, truth.means, rtol=_SAME_MEAN, atol=_SAME_MEAN)
    if other.any():
        query, column = np.argwhere(other)[0]
        raise InputError(
            Wording(
                "the mean of %(stimulus)s of query %(query)s is %(mean)s, but %(other)s in "
                "%(path)s; give the ratings from which the ground truth was computed",
                stimulus=repr(truth.candidates[query][column]),
                query=repr(truth.queries[query]),
                mean=f"{mean[query, column]:g}",
                other=f"{truth.means[query, column]:g}",
                path=truth.path,
            ),
            table.path,
        )


def _scored(path: Path, direction: Direction) -> Iterator[tuple[tuple[str, str], float]]:
    if looks_like_run(path):
        from analysis.files.runs.trec import read_run

        rows = read_run(path, direction).results.select("query", "document", "score").iter_rows()
        yield from (((query, document), score) for query, document, score in rows)
        return
    table = read_table(path, ("query_id", "stimulus_id", "score"))
    if not len(table):
        raise InputError("has no rows below its header", path)
    score = table.numbers("score")
    seen: dict[tuple[str, str], int] = {}
    for row, pair in _pairs(table, seen):
        seen[pair] = row
        yield pair, float(score[row])


def _pairs(table: Table, seen: dict[tuple[str, str], int]) -> Iterator[tuple[int, tuple[str, str]]]:
    """Yield (query, stimulus) of each row; raise an error if it is in `seen` already."""
    for row, pair in enumerate(zip(table.ids("query_id"), table.ids("stimulus_id"), strict=True)):
        if pair in seen:
            raise table.error(
                row,
                Wording(
                    "query %(query)s repeats stimulus %(stimulus)s (first on line %(line)s); "
                    "keep one",
                    query=repr(pair[0]),
                    stimulus=repr(pair[1]),
                    line=table.lines[seen[pair]],
                ),
            )
        yield row, pair


def _direction(
    path: Path, queries: Sequence[str], means: Values, ranks: Values, where: NDArray[np.bool_]
) -> int:
    """The sign of similarity, from the ranks, which must agree in all queries."""
    rising, falling = (_in_order(means, way * ranks, where) for way in (1, -1))
    signs = falling.astype(int) - rising  # 0 if all are equal, so that both signs are right
    sign = int(next(filter(None, signs), 1))
    wrong = ~(rising | falling) | (signs == -sign)
    if wrong.any():
        raise InputError(
            Wording(
                "means and ranks of query %(query)s contradict each other; rank 1 should be the "
                "most similar in all queries",
                query=repr(queries[int(wrong.argmax())]),
            ),
            path,
        )
    return sign


def _in_order(means: Values, ranks: Values, where: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Whether, in each query, ranks never decrease with increasing means."""
    m, r = (np.where(where, order_ranks(v), v.size) for v in (means, ranks))
    by_mean = np.lexsort((r, m))
    return np.asarray((np.diff(np.take_along_axis(r, by_mean, axis=-1)) >= 0).all(axis=-1))


def _refuse_swapped(truth: GroundTruth, table: Table, rows: dict[tuple[str, str], int]) -> None:
    """Raise an error if the means of a query look like ranks and its ranks do not."""
    rank, mean = table.numbers("rank"), table.numbers("mean")
    for query, names in zip(truth.queries, truth.candidates, strict=True):
        chosen = [rows[query, name] for name in names]
        if _are_ranks(mean[chosen], rank[chosen]) and not _are_ranks(rank[chosen], mean[chosen]):
            raise table.error(
                chosen[0],
                Wording(
                    "rank is %(rank)s and mean is %(mean)s, and all means of query %(query)s look "
                    "like ranks: the columns mean and rank are swapped",
                    rank=f"{rank[chosen[0]]:g}",
                    mean=f"{mean[chosen[0]]:g}",
                    query=repr(query),
                ),
            )


def _are_ranks(places: Values, values: Values) -> bool:
    """Whether `places` are ranks of the values, from either end, with any treatment of ties."""
    whole = np.abs(2 * places - np.rint(2 * places)) < _SAME_RANK  # mean ranks can be halves
    if not whole.all():
        return False
    for dense in (order_ranks(values), order_ranks(-values)):
        sizes = np.bincount(dense)
        last = np.cumsum(sizes)[dense]
        within = (places > last - sizes[dense] + 1 - _SAME_RANK) & (places < last + _SAME_RANK)
        if (within | (np.abs(places - dense - 1) < _SAME_RANK)).all():
            return True
    return False
