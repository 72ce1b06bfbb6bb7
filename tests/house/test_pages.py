"""The rules of the whole site: every route guarded, every answer with its headers."""

import ast
import re

import pytest
from werkzeug.routing.converters import NumberConverter

from study_app.web.security.security import HEADERS, OPEN_BLUEPRINTS
from tests.conftest import PROJECT

TEMPLATES = PROJECT / "study_app" / "web" / "templates"
# Folders of pages, as their rooms in pyproject.toml: a page may use files of earlier ones.
ORDER = (
    ("errors", "accounts"),
    ("stimuli",),
    ("cards",),
    ("participation",),
    ("sittings", "ranking"),
    ("gold",),
    ("systems",),
    ("studies", "people", "members"),
)
FILES = re.compile(r"""(?:include|from|extends|import|filename=) ?["']([a-z_]+)/""")
EXPECTED_OPEN = {"health", "sign_in", "participation", "phones"}


def _paths(app):
    for rule in app.url_map.iter_rules():
        blueprint = rule.endpoint.split(".")[0]
        if rule.endpoint != "static" and blueprint not in OPEN_BLUEPRINTS:
            arguments = {
                name: 1 if isinstance(converter, NumberConverter) else "x"
                for name, converter in rule._converters.items()
            }
            yield rule, arguments


def test_open_blueprints_are_those_that_strangers_need():
    assert OPEN_BLUEPRINTS == EXPECTED_OPEN


def test_no_page_of_a_study_opens_for_a_stranger(app, stranger, study_id):
    with app.test_request_context():
        from flask import url_for

        targets = [
            (method, url_for(rule.endpoint, **arguments))
            for rule, arguments in _paths(app)
            for method in rule.methods & {"GET", "POST", "PUT", "PATCH", "DELETE"}
        ]
    assert len(targets) > 10
    stranger.get("/sign-in")
    for method, path in targets:
        answer = stranger._client.open(
            path, method=method, headers={"X-CSRFToken": stranger._token or ""}
        )
        assert answer.status_code in (302, 401), (method, path)
        if answer.status_code == 302:
            assert answer.headers["Location"].startswith("/sign-in"), path


@pytest.mark.parametrize("path", ["/sign-in", "/nowhere", "/static/house.css", "/"])
def test_every_answer_carries_the_headers(stranger, path):
    headers = stranger.get(path).headers
    for name, value in HEADERS.items():
        assert headers[name] == value


def test_no_page_has_inline_script_or_style(app):
    for name in app.jinja_env.list_templates():
        text = app.jinja_env.loader.get_source(app.jinja_env, name)[0]
        assert "style=" not in text, name
        assert " onclick=" not in text and " onload=" not in text, name
        assert "<script>" not in text, name


WEB = PROJECT / "study_app" / "web"


def test_styles_follow_the_direction_of_the_text():
    """In Arabic, the left side is the end: a style names the start or the end."""
    sided = re.compile(r"(margin|padding|border)-(left|right)|text-align: (left|right)")
    for path in (PROJECT / "study_app/web/static/styles").glob("*.css"):
        assert not sided.search(path.read_text(encoding="utf-8")), path.name


def test_forms_are_read_in_one_way():
    """Elsewhere texts would come in without a bound, with control characters, in any encoding."""
    raw = re.compile(r"request\.(form|values)\b")
    modules = [path for path in WEB.rglob("*.py") if path != WEB / "shared" / "forms.py"]
    found = [path.name for path in modules if raw.search(path.read_text(encoding="utf-8"))]
    assert found == [], "read fields with study_app.web.shared.forms.sent_form"


def test_no_get_opens_a_transaction_that_writes():
    found = [
        f"{path.name}: {view.name}"
        for path in WEB.rglob("*.py")
        for view in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(view, ast.FunctionDef)
        and any(re.search(r"\.get\(", ast.unparse(mark)) for mark in view.decorator_list)
        and "writing(" in ast.unparse(view)
    ]
    assert found == []


def test_pages_use_files_of_their_own_room_or_of_rooms_below():
    rows = {folder: row for row, folders in enumerate(ORDER) for folder in folders}
    assert {path.name for path in TEMPLATES.iterdir() if path.is_dir()} == set(rows)
    for path in TEMPLATES.glob("*/**/*.html"):
        own = path.relative_to(TEMPLATES).parts[0]
        used = set(FILES.findall(path.read_text("utf-8"))) - {"modules", "styles", own}
        wrong = {folder for folder in used if rows[folder] >= rows[own]}
        assert not wrong, f"{path.relative_to(TEMPLATES)} uses files of {wrong}"
