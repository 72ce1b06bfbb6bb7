"""Systems measured against a study's gold standard."""

from study_app.studies import Station


def station(session, study):
    """Where the study stands on the road."""
    return Station("Systems", "systems.page", "", done=False)
