"""The pages that a participant sees, whatever the method."""

from study_app.web.participation import offline, pages
from study_app.web.participation.blueprint import blueprint

__all__ = ["blueprint", "offline", "pages"]
