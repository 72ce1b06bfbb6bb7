"""The tables, nothing else."""

from study_app.models import exclusion, participation, ranking, rights, sittings, systems
from study_app.models.audit import AuditEntry
from study_app.models.base import Base, Moment, now
from study_app.models.jobs import InstallationNote, Job
from study_app.models.people import (
    Attempt,
    Participant,
    Passkey,
    RecoveryCode,
    Researcher,
    SignIn,
    SignInLink,
    StudyMember,
)
from study_app.models.sittings import (
    DeletedPhoto,
    Event,
    Group,
    GroupDescription,
    PhoneLink,
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
    "AuditEntry",
    "Base",
    "Deck",
    "DeckCard",
    "DeletedPhoto",
    "Event",
    "Group",
    "GroupDescription",
    "InstallationNote",
    "Job",
    "Moment",
    "Participant",
    "Passkey",
    "PhoneLink",
    "Photo",
    "Picture",
    "RecoveryCode",
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
    "StudyMember",
    "exclusion",
    "now",
    "participation",
    "ranking",
    "rights",
    "sittings",
    "systems",
]
