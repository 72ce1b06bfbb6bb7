"""The pages: one blueprint a noun, each route reading the form, calling one rule, rendering."""

from flask import Blueprint

from analysis.words import counted
from study_app.web import (
    cards,
    errors,
    exports,
    forms,
    gold,
    jobs,
    participate,
    rankings,
    security,
    sign_in,
    sittings,
    stimuli,
    studies,
    systems,
)

BLUEPRINTS: list[Blueprint] = [
    module.blueprint
    for module in (
        sign_in,
        studies,
        stimuli,
        cards,
        sittings,
        rankings,
        participate,
        gold,
        exports,
        systems,
        jobs,
    )
]


def init_app(app):
    """Hang every page into the application."""
    app.add_template_filter(counted)
    security.init_app(app)
    errors.init_app(app)
    forms.init_app(app)
    studies.init_app(app)
    for blueprint in BLUEPRINTS:
        app.register_blueprint(blueprint)
