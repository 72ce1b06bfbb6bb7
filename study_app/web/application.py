"""All pages, registered with the application."""

from functools import partial
from typing import Any

from flask import Blueprint, Flask
from flask.json.provider import DefaultJSONProvider
from werkzeug.routing import IntegerConverter, Map

from basics.plurals import counted
from study_app.operations import older_copies
from study_app.participation.platforms.signed_links import PublicKeys
from study_app.web import (
    participation,
    ranking,
    sittings,
    stimuli,
)
from study_app.web.accounts import account, codes, one_time_code, passkeys, sign_in
from study_app.web.cards import cards
from study_app.web.operations import health, jobs, measurements
from study_app.web.participation import task
from study_app.web.ranking import trials
from study_app.web.results import exports, gold, systems
from study_app.web.security import access, errors, security
from study_app.web.shared import figures, forms, times
from study_app.web.shared.group_classes import group_class
from study_app.web.shared.names import wrapping
from study_app.web.sittings import phones
from study_app.web.studies import audit, members, people, studies

BLUEPRINTS: list[Blueprint] = [
    module.blueprint
    for module in (
        sign_in,
        account,
        studies,
        members,
        audit,
        stimuli,
        cards,
        sittings,
        ranking,
        participation,
        people,
        gold,
        exports,
        systems,
        jobs,
        health,
    )
]

# Further pages of these blueprints, registered by the import.
FURTHER = (codes, one_time_code, passkeys)

# The pages of every method for its participants, and those of its tasks that all methods share.
participation.blueprint.register_blueprint(trials.blueprint)
ranking.blueprint.register_blueprint(task.blueprint)


class NumberConverter(IntegerConverter):
    """The id of a row; larger numbers than a database has are not found."""

    regex = "[0-9]{1,10}"

    def __init__(self, url_map: Map, **options: Any) -> None:
        super().__init__(url_map, max=2**31 - 1, **options)


class BoundedJSON(DefaultJSONProvider):
    """A JSON provider that rejects JSON nested too deeply as a bad request."""

    def loads(self, s: str | bytes, **kwargs: Any) -> Any:
        try:
            return super().loads(s, **kwargs)
        except RecursionError as fault:
            raise ValueError("nested too deeply") from fault


def init_app(app: Flask) -> None:
    """Register all pages with the application."""
    app.json = BoundedJSON(app)
    app.url_map.converters["int"] = NumberConverter
    app.extensions["platform_keys"] = PublicKeys()
    app.extensions["readiness"] = health.Readiness()
    app.add_template_filter(counted)
    app.add_template_filter(group_class)
    app.add_template_filter(wrapping)
    app.add_template_global(
        partial(older_copies.older_copies, app.config["SETTINGS"]), "older_copies"
    )
    figures.init_app(app)
    times.init_app(app)
    measurements.init_app(app)
    security.init_app(app)
    errors.init_app(app)
    forms.init_app(app)
    access.init_app(app)
    studies.init_app(app)
    audit.init_app(app)
    for blueprint in (*BLUEPRINTS, phones.phones):
        app.register_blueprint(blueprint)
