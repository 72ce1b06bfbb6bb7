"""The road of a study: six stations, from sketches to systems."""

from study_app import gold, ranking, systems
from study_app.cards import printed_decks
from study_app.sittings import sittings
from study_app.stimuli import stimuli

STATIONS = (stimuli, printed_decks, sittings, ranking, gold, systems)


def road(session, study):
    """The six stations of a study, each with its state in one number."""
    return [noun.station(session, study) for noun in STATIONS]


def next_station(stations):
    """Where to go next: the first station that is not done, None where all are.

    There are two ways to a gold standard; one that nobody began is passed by where the other is.
    """
    _, printed, sorted_, ranked, *_ = stations
    passed = []
    if ranked.state and not printed.state and not sorted_.state:
        passed = [printed, sorted_]
    elif sorted_.done and not ranked.state:
        passed = [ranked]
    return next((at for at in stations if not at.done and at not in passed), None)
