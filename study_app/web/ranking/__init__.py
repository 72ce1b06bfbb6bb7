"""The pages of the step "Ranking", for the researcher."""

from study_app.web.ranking import corrections, people, preview, quality, queries, tasks
from study_app.web.ranking.blueprint import blueprint

__all__ = [
    "blueprint",
    "corrections",
    "people",
    "preview",
    "quality",
    "queries",
    "tasks",
]
