"""The list of one participant, drawn from what the task holds and kept: a few statements in all.

Somebody who joins locks the study until they have their list, so it is read and written whole
rather than query by query.
"""

from collections import defaultdict

from sqlalchemy import insert, or_, select

from study_app.models.ranking import AssignedQuery, Candidate, RankingQuery
from study_app.participation import quota
from study_app.participation.refusals import NoPlaceLeft
from study_app.ranking.block_design import Listed, choose_queries, draw_sitting

# SQLite takes 32,766 values in one statement.
NAMED_AT_ONCE = 5_000


def draw_list(session, task, purpose, seed):
    """Draw which queries somebody gets, and every order.

    Parameters
    ----------
    session : sqlalchemy.orm.Session
    task : study_app.models.ranking.RankingTask
    purpose : str
        A "tryout" takes no places and finds every one free.
    seed : int
        Of the sitting.

    Returns
    -------
    list of study_app.ranking.block_design.Drawn

    Raises
    ------
    NoPlaceLeft
        If every query has the people that it needs.
    """
    taken = quota.taken_places(session, task)
    if purpose == "tryout":
        taken = dict.fromkeys(taken, 0)
    chosen = choose_queries(taken, task.places, task.part_size, seed)
    if not chosen:
        raise NoPlaceLeft()
    return draw_sitting(_listed(session, task, chosen), chosen, task.repeats, task.checks, seed)


def keep_list(session, sitting, drawn):
    """Store a list as it was drawn for a sitting."""
    rows = [
        {
            "sitting_id": sitting.id,
            "query_id": query.query_id,
            "position": position,
            "kind": query.kind,
            "shown_order": query.shown_order,
            "checked": query.checked,
        }
        for position, query in enumerate(drawn, start=1)
    ]
    session.execute(insert(AssignedQuery.__table__), rows)


def _listed(session, task, chosen):
    """The chosen queries and those for practice, in the task's order."""
    asked = select(RankingQuery.id, RankingQuery.stimulus_id, RankingQuery.practice)
    asked = asked.where(RankingQuery.task_id == task.id).order_by(RankingQuery.number)
    if len(chosen) <= NAMED_AT_ONCE:
        asked = asked.where(or_(RankingQuery.practice, RankingQuery.id.in_(chosen)))
    wanted = set(chosen)
    queries = [q for q in session.execute(asked) if q.practice or q.id in wanted]
    images = _images(session, [query.id for query in queries])
    return [
        Listed(query.id, query.stimulus_id, tuple(images[query.id]), query.practice)
        for query in queries
    ]


def _images(session, query_ids):
    """The images of queries, in their order, by the number of the query."""
    images = defaultdict(list)
    for start in range(0, len(query_ids), NAMED_AT_ONCE):
        named = query_ids[start : start + NAMED_AT_ONCE]
        listing = select(Candidate.query_id, Candidate.stimulus_id)
        listing = listing.where(Candidate.query_id.in_(named))
        for query_id, stimulus_id in session.execute(listing.order_by(Candidate.number)):
            images[query_id].append(stimulus_id)
    return images
