"""The pages of the step "rankings", for the researcher."""

from study_app.web.ranking import corrections, links, people, queries, tasks
from study_app.web.ranking.blueprint import blueprint

__all__ = ["blueprint", "corrections", "links", "people", "queries", "tasks"]
