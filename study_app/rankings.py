"""Ranking tasks: queries, candidates, invitations and scores."""

from study_app.studies import Station


def station(session, study):
    """Where the study stands on the road."""
    return Station("Ranking", "rankings.page", "", done=False)
