"""Cards: decks, and the sheets that they are printed on."""

from study_app.studies import Station


def station(session, study):
    """Where the study stands on the road."""
    return Station("Cards", "cards.page", "", done=False)
