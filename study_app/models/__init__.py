"""The tables, nothing else."""

from study_app.models import exclusion, participation, ranking, rights, sittings, systems
from study_app.models.base import Base, Moment, now
from study_app.models.jobs import Job
from study_app.models.people import Attempt, Participant, Researcher, SignIn, SignInLink
from study_app.models.sittings import (
    DeletedPhoto,
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
    "DeletedPhoto",
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
    "exclusion",
    "now",
    "participation",
    "ranking",
    "rights",
    "sittings",
    "systems",
]
