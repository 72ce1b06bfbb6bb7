"""What a server of a test need not do itself: done in the process that servers are forked from.

That process loads this module last; see `forked`.
"""

import gc
import tempfile
from importlib import import_module
from pathlib import Path
from unittest import mock

import flask
from argon2 import PasswordHasher
from jinja2 import BytecodeCache
from werkzeug.routing.rules import Rule

import study_app
from study_app.accounts import passwords
from study_app.commands import warm_up
from study_app.core.config import Settings
from study_app.core.database import close
from study_app.operations import older_copies
from study_app.web.shared import languages
from tests.compiled_addresses import compile_once


class CompiledTemplates(BytecodeCache):
    """Compiled templates, in memory."""

    def __init__(self):
        self.compiled = {}

    def load_bytecode(self, bucket):
        """Take what was compiled for the same words."""
        if bucket.key in self.compiled:
            bucket.bytecode_from_string(self.compiled[bucket.key])

    def dump_bytecode(self, bucket):
        """Keep what was compiled."""
        self.compiled[bucket.key] = bucket.bytecode_to_string()


def _compile_templates():
    """Compile every template for an application without a database."""
    with (
        tempfile.TemporaryDirectory() as folder,
        mock.patch.object(study_app, "_bring_up_to_date"),
        mock.patch.object(older_copies, "delete_outdated"),
    ):
        app = study_app.create_app(Settings.of(Path(folder)))
        for name in app.jinja_env.list_templates():
            app.jinja_env.get_template(name)
        close(app)


languages.catalogues(languages.FOLDER)
for library in warm_up.LIBRARIES:
    import_module(library)
# Guessing passwords is made slow, which the tests of sign-in check in servers that are not forked.
passwords.hasher = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
Rule.compile = compile_once
flask.Flask.jinja_options = {"bytecode_cache": CompiledTemplates()}
_compile_templates()
# No garbage collector of a server looks through what it inherits.
gc.collect()
gc.freeze()
