"""Participation, for all methods: participants' pages, and the researcher's pages of a task."""

from study_app.web.participation import offline, own_data, pages, parts
from study_app.web.participation.blueprint import blueprint

__all__ = ["blueprint", "offline", "own_data", "pages", "parts"]
