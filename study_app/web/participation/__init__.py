"""Taking part, whatever the method: the participant's pages, and the researcher's of a task."""

from study_app.web.participation import offline, pages, parts
from study_app.web.participation.blueprint import blueprint

__all__ = ["blueprint", "offline", "pages", "parts"]
