"""The pages of the step "rankings", for the researcher."""

from study_app.web.ranking import corrections, flow, links, people, preview, quality, queries, tasks
from study_app.web.ranking.blueprint import blueprint

__all__ = [
    "blueprint",
    "corrections",
    "flow",
    "links",
    "people",
    "preview",
    "quality",
    "queries",
    "tasks",
]
