"""Access to studies: each route declares what it needs, and every request is checked."""

from collections.abc import Callable
from typing import Any, TypeVar

from flask import Flask, current_app, g, request, session

from study_app.accounts.roles import Need, NotAllowed, NotMember, may
from study_app.core import acting
from study_app.core.database import db
from study_app.models import Study
from study_app.studies import studies
from study_app.web.security import phone
from study_app.web.security.security import SAFE_METHODS, signed_in

View = TypeVar("View", bound=Callable[..., Any])
# What each view declared with `needs`.
_needs: dict[Callable[..., Any], Need] = {}


def init_app(app: Flask) -> None:
    """Check every request against what its route needs, and give templates the role."""
    app.before_request(_name_actor)
    app.before_request(_admit)
    app.teardown_request(lambda _fault: acting.begin(acting.TERMINAL))
    app.context_processor(lambda: {"may": may_here, "role": g.get("role")})


def needs(what: Need) -> Callable[[View], View]:
    """Declare what a route of a study needs; by default "results" for GET, "edit" for POST.

    Examples
    --------
    >>> @blueprint.post("/<code>/finish")  # doctest: +SKIP
    ... @needs("record")
    ... def finish(study_id, code): ...
    """

    def declared(view: View) -> View:
        _needs[view] = what
        return view

    return declared


def need_of(endpoint: str, method: str = "GET") -> Need:
    """What a route of a study needs."""
    usual: Need = "results" if method in SAFE_METHODS else "edit"
    return _needs.get(current_app.view_functions[endpoint], usual)


def may_here(need: Need) -> bool:
    """Whether the current user may do this in the study of the page."""
    return may(g.get("role"), need)


def may_open(endpoint: str) -> bool:
    """Whether the current user may open a page of the study."""
    return may_here(need_of(endpoint))


def study() -> Study:
    """The study that the address names."""
    if "study" not in g:
        g.study = studies.get(db.session(), (request.view_args or {})["study_id"])
    found: Study = g.study
    return found


def _name_actor() -> None:
    """Set the author of the changes of this request, for the audit list."""
    if request.blueprints and request.blueprints[-1] == "participation":
        return acting.begin(acting.PARTICIPANT)
    known = signed_in() if "sign_in" in session else None
    number = known.researcher_id if known else phone.researcher_id(request)
    acting.begin(acting.VISITOR if number is None else acting.researcher(number))


def _admit() -> None:
    """Find the role in the study that an address names; to non-members it is not found."""
    named = request.view_args or {}
    # A context of the application may serve several requests.
    for of_study in ("study", "role"):
        g.pop(of_study, None)
    known = signed_in() if "study_id" in named else None
    if known is None and phone.may_ask(request):
        g.role = phone.ROLE
    if known is None or request.endpoint is None:
        return
    if known.role is None:
        raise NotMember()
    g.role = known.role
    if not may(g.role, need_of(request.endpoint, request.method)):
        raise NotAllowed(g.role)
