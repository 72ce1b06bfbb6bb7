"""The catalogues of translations: in step with the program, with its placeholders and markup."""

import ast
import re
import subprocess
import sys
import tomllib

import pytest
from babel.messages.pofile import read_po
from babel.util import pathmatch

from study_app.web.shared.languages import FOLDER
from tests.conftest import PROJECT
from tests.pseudo_language import template, untranslated

CATALOGUES = {path.parts[-3]: path for path in sorted(FOLDER.glob("*/LC_MESSAGES/messages.po"))}
LANGUAGES = {"ar", "cs", "de", "es", "fr", "it", "ja", "ko", "nl", "pl", "pt", "tr", "zh_Hans"}
PLACEHOLDER = re.compile(r"%\(\w+\)s")
TAG = re.compile(r"</?[a-z][^>]*>")
# Markdown at the beginning of lines: a heading, an entry of a list.
MARKDOWN = re.compile(r"^(?:#+ |- )", re.MULTILINE)
TEMPLATES = PROJECT / "study_app" / "web" / "templates"
STATIC = PROJECT / "study_app" / "web" / "static"
COMMENTS = re.compile(r"(?m)^\s*//.*$|\s//\s.*$")
LITERALS = re.compile(r'"([^"\n]*)"|`([^`]*)`')
# Begins with a capital letter and has a second word.
SENTENCE = re.compile(r"^[A-Z][a-z]+[ ,].*[a-z]{2}|^[A-Z][a-z]+\.$")
WORD = re.compile(r"(?<![A-Za-z])[A-Z][a-z]+(?![A-Za-z])")
EXPRESSION = re.compile(r"\$\{[^}]*\}")
# What a script shows: the text, title or label of an element.
SHOWN = re.compile(
    r"(?:\.(?:textContent|innerText|title|placeholder|ariaLabel|alt) = |\bsetText\([^;]*?, )"
    r"([^;]*);"
)
# For the developer who reads the browser's console.
NO_SENTENCES = {
    "modules/outbox.js": ["The server answered no entry."],
    "modules/server.js": ["The network answered in place of the server."],
}
# Ends of the names of errors that are made with their sentence.
REFUSALS = ("Refused", "Unclear", "NotInState", "BadEvent", "NothingImported", "NotWritten")
OF_THE_TERMINAL = {"commands", "operations", "simulation", "core"}
# What a catalogue translates, and what is no text: classes, expressions, tags of Jinja, comments.
MARKED = re.compile(
    r"\{%-?\s*trans\b.*?endtrans\s*-?%\}|\{% block \w+_class %\}.*?\{% endblock %\}"
    r"|\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}",
    re.DOTALL,
)
# Names of files, formats and datasets; what browsers read in <meta>.
NAMES = re.compile(r"<code[ >].*?</code>|Quick, Draw!|PNG, JPEG.*?\.ndjson|<meta.*?>", re.DOTALL)


def _command():
    """The command that docs/how-to/translating.md gives for the template."""
    page = (PROJECT / "docs" / "how-to" / "translating.md").read_text(encoding="utf-8")
    return re.search(r"^pybabel (extract .*)$", page, re.MULTILINE)[1].split()


def test_the_template_holds_every_text(tmp_path):
    command = _command()
    command[command.index("-o") + 1] = str(tmp_path / "messages.pot")
    babel = (sys.executable, "-m", "babel.messages.frontend")
    subprocess.run([*babel, *command], cwd=PROJECT, check=True, capture_output=True)
    with (tmp_path / "messages.pot").open("rb") as file:
        found = {message.id for message in read_po(file)}
    assert found == {message.id for message in template()}, "extract the texts again"


def test_every_text_of_a_template_is_marked():
    found = {}
    for path in TEMPLATES.rglob("*.html"):
        text = NAMES.sub("", path.read_text(encoding="utf-8"))
        if words := untranslated(MARKED.sub("", text)):
            found[path.relative_to(TEMPLATES).as_posix()] = words
    assert found == {}, "mark them: docs/how-to/translating.md"


def test_every_sentence_of_a_script_is_marked():
    found = {}
    for path in STATIC.rglob("*.js"):
        if sentences := _unmarked_in_script(path.read_text(encoding="utf-8")):
            found[path.relative_to(STATIC).as_posix()] = sentences
    assert found == NO_SENTENCES, "mark them: docs/how-to/translating.md"


def test_every_refusal_and_notice_is_marked():
    """Those of the command line are English."""
    found = []
    for path in (PROJECT / "study_app").rglob("*.py"):
        room, *_ = path.relative_to(PROJECT / "study_app").parts
        if room not in OF_THE_TERMINAL:
            unmarked = _unmarked_in_python(path.read_text(encoding="utf-8"))
            found += [f"{path.name}: {text}" for text in unmarked]
    assert found == [], "mark them: docs/how-to/translating.md"


@pytest.mark.parametrize(
    "script",
    [
        'show("Please wait.");',
        "show(`Wait for ${count} cards`);",
        'button.textContent = "Saved";',
        "button.title = is_open ? gettext(`Close`) : `Open`;",
        'setText(element("saved"), "Saved");',
    ],
)
def test_unmarked_texts_of_scripts_are_found(script):
    assert len(_unmarked_in_script(script)) == 1


@pytest.mark.parametrize(
    "script",
    [
        'show(gettext("Please wait."));',
        'button.className = "Saved";',
        "line.textContent = `${gettext(`Time is up`)} · ${number}`;",
        "// Please wait.",
    ],
)
def test_marked_texts_of_scripts_are_not_found(script):
    assert _unmarked_in_script(script) == []


@pytest.mark.parametrize(
    "call",
    [
        'super().__init__("The card is not there.")',
        'super().__init__(f"{card} is not there.")',
        'flash("Planned.")',
        'flash("Planned." if count else rgettext("Nothing to plan."))',
        'raise SheetRefused("The sheet " + name)',
        'raise SheetRefused(what="The %s is full" % name)',
    ],
)
def test_unmarked_refusals_are_found(call):
    assert len(_unmarked_in_python(call)) == 1


@pytest.mark.parametrize(
    "call",
    [
        'super().__init__(gettext("The card is not there."))',
        'flash(rgettext("Planned.") if count else message)',
        'raise BadEvent("place", reason)',
    ],
)
def test_marked_refusals_are_not_found(call):
    assert _unmarked_in_python(call) == []


def _unmarked_in_script(script):
    """The sentences in a script, and the words that it shows, outside the calls that translate."""
    text = COMMENTS.sub("", _without_marked(script))
    sentences = [one for one in _literals(text) if SENTENCE.search(one)]
    shown = [one for part in SHOWN.findall(text) for one in _literals(part) if WORD.search(one)]
    return sentences + [one for one in shown if one not in sentences]


def _literals(script):
    """The texts in quotation marks, without the expressions in them."""
    found = (one[0] or one[1] for one in LITERALS.findall(script))
    return [EXPRESSION.sub("", one) for one in found]


def _unmarked_in_python(source):
    """The texts in refusals and notices outside the calls that translate."""
    found = []
    for call in ast.walk(ast.parse(source)):
        if isinstance(call, ast.Call):
            name = ast.unparse(call.func)
            if name in ("super().__init__", "flash") or name.endswith(REFUSALS):
                given = [*call.args, *(keyword.value for keyword in call.keywords)]
                found += [text for one in given for text in _texts_in(one)]
    return found


def _texts_in(expression):
    if isinstance(expression, ast.Constant | ast.JoinedStr):
        text = ast.unparse(expression)
        return [text] if " " in text or text.endswith((".'", '."')) else []
    if isinstance(expression, ast.Call):
        return []
    return [text for part in ast.iter_child_nodes(expression) for text in _texts_in(part)]


def _without_marked(script):
    """A script without the calls that translate."""
    left, at = "", 0
    for call in re.finditer(r"\b(?:n?gettext)\(", script):
        if call.start() < at:
            continue
        left += script[at : call.start()]
        at, depth = call.end(), 1
        while depth:
            depth += {"(": 1, ")": -1}.get(script[at], 0)
            at += 1
    return left + script[at:]


def test_every_page_and_script_is_in_one_catalogue():
    """Those of researchers are ignored for participants, and named for researchers."""
    with (PROJECT / "pyproject.toml").open("rb") as file:
        ignored = tomllib.load(file)["tool"]["babel"]["mappings"][0]
    with (FOLDER / "researchers.toml").open("rb") as file:
        templates, scripts, _ = tomllib.load(file)["mappings"]
    assert ignored["pattern"] == templates["pattern"] + scripts["pattern"]
    files = [*TEMPLATES.rglob("*.html"), *STATIC.rglob("*.js")]
    names = [path.relative_to(PROJECT).as_posix() for path in files]
    for pattern in ignored["pattern"]:
        assert any(pathmatch(pattern, name) for name in names), pattern


def test_every_language_has_a_catalogue():
    assert set(CATALOGUES) == LANGUAGES


@pytest.mark.parametrize("locale", CATALOGUES)
def test_a_catalogue_is_in_step(locale):
    with CATALOGUES[locale].open("rb") as file:
        catalogue = read_po(file, abort_invalid=True)
    assert "Checked by a native speaker: " in catalogue.header_comment
    wanted = {message.id for message in template()}
    assert {message.id for message in catalogue} == wanted, "run pybabel update"
    for message in filter(lambda one: one.id, catalogue):
        assert not message.fuzzy, message.id
        singular, translations = message.id, [message.string]
        if message.pluralizable:
            singular, many = message.id
            assert len(message.string) == catalogue.num_plurals, message.id
            translations = list(message.string)
            # "one minute left" may leave the number out, in every language.
            singular = many if PLACEHOLDER.search(many) else singular
        assert all(translations), f"{message.id}: translate it"
        for text in translations:
            _same_parts(singular, text, may_omit=message.pluralizable)


def _same_parts(english, text, *, may_omit):
    """A translation has the placeholders, the tags and the Markdown of the English text."""
    found, wanted = (set(PLACEHOLDER.findall(one)) for one in (text, english))
    assert found == wanted or (may_omit and found < wanted), text
    assert sorted(TAG.findall(text)) == sorted(TAG.findall(english)), text
    assert MARKDOWN.findall(text) == MARKDOWN.findall(english), text
    assert "%" not in PLACEHOLDER.sub("", text), f"{text}: % without a name"
