"""The pages of the station "rankings", for the researcher."""

from study_app.web.rankings import links, people, queries, tasks
from study_app.web.rankings.blueprint import blueprint

__all__ = ["blueprint", "links", "people", "queries", "tasks"]
