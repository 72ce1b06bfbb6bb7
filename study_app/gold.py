"""The gold standard of a study: live, from what was recorded so far."""

from study_app.studies import Station


def station(session, study):
    """Where the study stands on the road."""
    return Station("Gold standard", "gold.page", "", done=False)
