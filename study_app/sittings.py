"""Sittings: what an assessor did at a table, recorded until every card is in one group."""

from study_app.studies import Station


def station(session, study):
    """Where the study stands on the road."""
    return Station("Sittings", "sittings.page", "", done=False)
