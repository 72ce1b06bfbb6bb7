"""Stimuli: imported, kept, and shown."""

from study_app.studies import Station


def station(session, study):
    """Where the study stands on the road."""
    return Station("Sketches", "stimuli.page", "", done=False)
