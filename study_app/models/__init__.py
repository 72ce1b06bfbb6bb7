"""The tables, nothing else."""

from study_app.models import participation, ranking, sittings, systems
from study_app.models.base import Base, Moment, now
from study_app.models.jobs import Job
from study_app.models.people import Attempt, Participant, Researcher, SignIn, SignInLink
from study_app.models.sittings import (
    Event,
    Group,
    GroupDescription,
    Photo,
    Scan,
    Sitting,
    SittingAssessor,
    StudyInstructions,
)
from study_app.models.stimuli import (
    Deck,
    DeckCard,
    Picture,
    RetiredSetNumber,
    Stimulus,
    StimulusSet,
    Study,
)

__all__ = [
    "Attempt",
    "Base",
    "Deck",
    "DeckCard",
    "Event",
    "Group",
    "GroupDescription",
    "Job",
    "Moment",
    "Participant",
    "Photo",
    "Picture",
    "Researcher",
    "RetiredSetNumber",
    "Scan",
    "SignIn",
    "SignInLink",
    "Sitting",
    "SittingAssessor",
    "Stimulus",
    "StimulusSet",
    "Study",
    "StudyInstructions",
    "now",
    "participation",
    "ranking",
    "sittings",
    "systems",
]
