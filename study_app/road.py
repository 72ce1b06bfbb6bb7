"""The road of a study: six stations, from sketches to systems."""

from study_app import cards, gold, rankings, sittings, stimuli, systems

STATIONS = (stimuli, cards, sittings, rankings, gold, systems)


def road(session, study):
    """The six stations of a study, each with its state in one number."""
    return [noun.station(session, study) for noun in STATIONS]
