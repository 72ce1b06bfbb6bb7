"""The tables, nothing else."""

from study_app.models import ranking, sittings, systems
from study_app.models.base import Base, Moment, now
from study_app.models.jobs import Job
from study_app.models.people import Participant, Researcher, SignInLink
from study_app.models.stimuli import Deck, DeckCard, Picture, Stimulus, StimulusSet, Study

__all__ = [
    "Base",
    "Deck",
    "DeckCard",
    "Job",
    "Moment",
    "Participant",
    "Picture",
    "Researcher",
    "SignInLink",
    "Stimulus",
    "StimulusSet",
    "Study",
    "now",
    "ranking",
    "sittings",
    "systems",
]
