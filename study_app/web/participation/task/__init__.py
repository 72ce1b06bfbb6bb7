"""The researcher's pages of a task, for all methods: links, texts, endings, payment."""

from study_app.web.participation.task import flow, links, people, texts
from study_app.web.participation.task.blueprint import blueprint

__all__ = ["blueprint", "flow", "links", "people", "texts"]
