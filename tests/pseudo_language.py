"""A pseudo-language in which every translated text is in brackets, and a search for other texts."""

import re
from html.parser import HTMLParser
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

from study_app.web.shared.languages import FOLDER

# A text that was put into another is bracketed twice.
BRACKETED = re.compile(r"⟦[^⟦⟧]*⟧")
WORD = re.compile(r"[A-Za-z][a-z]+")
READ_ALOUD = ("alt", "aria-label", "aria-valuetext", "placeholder", "title")
# The name of the program, and attributes that are not shown.
NO_TEXT = {"script", "style"}
GERMAN = {"Accept-Language": "de"}
# Refusals are the same sentences for scripts, which need no page around them.
SCRIPT = GERMAN | {"Accept": "application/json"}
# Names that `route_requests.build` and its requests give.
NAMED = {"pool", "sketches", "spare", "hog", "csv"}
MARKUP = re.compile(r"^(#+ |- |)(.*)$", re.MULTILINE)


def template():
    """The texts that are to be translated."""
    with (FOLDER / "messages.pot").open("rb") as file:
        return read_po(file)


def write_pseudo(folder, locale, only=(), researchers=None):
    """Write catalogues of a locale: every text, or some, is the English one in brackets.

    Parameters
    ----------
    folder : pathlib.Path
    locale : str
    only : collection of str
        Texts of participants; empty for all.
    researchers : babel.messages.catalog.Catalog, optional
        The texts of researchers.

    Returns
    -------
    pathlib.Path
        The folder.
    """
    place = Path(folder) / locale / "LC_MESSAGES"
    place.mkdir(parents=True)
    for name, texts in (("messages", template()), ("researchers", researchers)):
        if texts is not None:
            with (place / f"{name}.po").open("wb") as file:
                write_po(file, _bracketed(texts, locale, only))
    return Path(folder)


def _bracketed(texts, locale, only):
    catalog = Catalog(locale=locale)
    for message in texts:
        if message.id and (not only or message.id in only):
            many = message.id[-1] if message.pluralizable else message.id
            bracketed = MARKUP.sub(lambda line: line[1] + f"⟦{line[2]}⟧" * bool(line[2]), many)
            string = (bracketed,) * catalog.num_plurals if message.pluralizable else bracketed
            catalog.add(message.id, string, locations=message.locations)
    return catalog


def untranslated(html):
    """Words of a page that no catalogue translates."""
    reader = _Words()
    reader.feed(html)
    return without_brackets("\n".join([reader.text, *reader.attributes]))


def without_brackets(text):
    """Words outside brackets."""
    left, count = text, 1
    while count:
        left, count = BRACKETED.subn("", left)
    return [word for word in WORD.findall(left) if word not in ("sketch", "study")]


def shown_text(client, answer):
    """Words of an answer without brackets: of a refusal, or of a notice on the page after it."""
    if answer.is_json:
        words = str((answer.get_json() or {}).get("error", ""))
        return [word for word in without_brackets(words) if word not in NAMED]
    if answer.status_code == 302:
        answer = client.get(answer.headers["Location"], headers=GERMAN)
    if answer.mimetype != "text/html":
        return []
    notices = re.findall(r'(?s)<p[^>]*class="(?:notice|refusal)[^>]*>.*?</p>', answer.text)
    return [word for word in untranslated("".join(notices)) if word not in NAMED]


class _Words(HTMLParser):
    """Collects visible and spoken texts; names of languages are in those languages."""

    def __init__(self):
        super().__init__()
        self.text, self.attributes, self.inside = "", [], []

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.attributes += [given[name] for name in READ_ALOUD if given.get(name)]
        if tag in NO_TEXT or (tag == "option" and "lang" in given):
            self.inside.append(tag)

    def handle_endtag(self, tag):
        if self.inside and self.inside[-1] == tag:
            self.inside.pop()

    def handle_data(self, data):
        if not self.inside:
            self.text += data
