"""The languages of the pages: their catalogues, and which one a request gets.

Participants get the language of their task, or the one that they or their browser chose; assessors
that of their sitting or study. All other pages are in English.
"""

import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from babel import Locale
from babel.dates import format_date
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import NullTranslations, Translations
from flask import Flask, current_app, g, has_request_context, request
from flask_babel import Babel, Domain, get_locale, get_translations, refresh

from study_app.core.languages import ENGLISH, shipped

FOLDER = Path(__file__).parent.parent / "translations"
# A line at the top of a catalogue; `pybabel update` drops header fields that it does not know.
CHECKED = "Checked by a native speaker: yes"
# Numbers at which every language shows each of its plural forms; 1 first.
COUNTS = (1, 0, 2, *range(3, 201), 1_000_000)


@dataclass(frozen=True)
class Language:
    """A language of the pages.

    Attributes
    ----------
    code : str
        As HTML names it: "de", "zh-Hans".
    checked : bool
        Whether a native speaker has checked the translation.
    """

    code: str
    checked: bool = True

    @property
    def name(self) -> str:
        """What its speakers call it."""
        name = _locale(self.code).get_display_name() or self.code
        return name[0].upper() + name[1:]

    @property
    def label(self) -> str:
        """Its name as researchers see it in a list."""
        return self.name if self.checked else f"{self.name} (not checked by a native speaker)"

    @property
    def direction(self) -> str:
        """ "ltr" or "rtl"."""
        return _locale(self.code).text_direction


class Catalogue:
    """The translated texts of one language.

    Parameters
    ----------
    path : pathlib.Path
        Of a file messages.po.
    """

    def __init__(self, path: Path) -> None:
        with path.open("rb") as file:
            self.messages: Catalog = read_po(file)
        self.locale = Locale.parse(path.parts[-3])
        is_checked = CHECKED in self.messages.header_comment
        self.language = Language(str(self.locale).replace("_", "-"), is_checked)

    @property
    def is_empty(self) -> bool:
        """Whether nothing is translated yet."""
        return not any(message.id and message.string for message in self.messages)

    def holds(self, text: str) -> bool:
        """Whether there is a translation of an English text."""
        message = self.messages.get(text)
        return bool(message and message.string and not message.fuzzy)

    @cached_property
    def translations(self) -> Translations:
        """The texts for the server."""
        compiled = io.BytesIO()
        write_mo(compiled, self.messages)
        compiled.seek(0)
        return Translations(compiled)

    @cached_property
    def for_scripts(self) -> Mapping[str, Any]:
        """The texts of scripts: by the English one, a text or its forms by CLDR plural category."""
        found: dict[str, Any] = {}
        for message in self.messages:
            in_script = any(place.endswith(".js") for place, _ in message.locations)
            if not in_script or message.fuzzy:
                continue
            if isinstance(message.string, tuple):
                if all(message.string):
                    found[message.id[0]] = self._by_category(message.string)
            elif message.string:
                found[str(message.id)] = message.string
        return found

    def _by_category(self, forms: tuple[str, ...]) -> dict[str, str]:
        by_category: dict[str, str] = {}
        for count in COUNTS:
            form = forms[self.translations.plural(count)]
            by_category.setdefault(self.locale.plural_form(count), form)
        return {"other": forms[-1], **by_category}


@lru_cache(maxsize=16)
def catalogues(folder: Path) -> Mapping[str, Catalogue]:
    """Every catalogue in a folder in which something is translated, by its language's code."""
    found = [Catalogue(path) for path in sorted(folder.glob("*/LC_MESSAGES/messages.po"))]
    return {one.language.code: one for one in found if not one.is_empty}


class _Texts(Domain):
    def get_translations(self) -> NullTranslations:
        catalogue = _catalogues().get(current())
        return catalogue.translations if catalogue else NullTranslations()


def offered() -> list[Language]:
    """Every language that a page can be in, English first."""
    return [Language(ENGLISH), *(one.language for one in _catalogues().values())]


def choice_for_researchers() -> dict[str, str]:
    """The languages that a researcher can choose from: their labels by code."""
    return {one.code: one.label for one in offered()}


def current() -> str:
    """The code of the language of this request."""
    return str(get_locale() or ENGLISH).replace("_", "-")


def use(*codes: str) -> None:
    """Show this request's page in the first of these languages that there is; else in English."""
    g.language = accepted(*codes)
    refresh()


def accepted(*codes: str) -> str:
    """The first of these codes that names a language of the pages; else English."""
    known = {one.code for one in offered()}
    return next((code for code in codes if code in known), ENGLISH)


def choose_by(select: Callable[[], str]) -> None:
    """Let `select` find the language of this request, once something is to be translated."""
    g.select_language = select


def of_browser() -> str:
    """The language of this request's address (`lang=`), or the best that its browser accepts."""
    codes = [one.code for one in offered()]
    return accepted(request.args.get("lang", ""), request.accept_languages.best_match(codes) or "")


def day(at: date | datetime) -> str:
    """A date in words, as the reader's language writes it."""
    code = current()
    return format_date(at, "long", locale=_locale("en-GB" if code == ENGLISH else code))


def init_app(app: Flask, folder: Path = FOLDER) -> None:
    """Give every page its language."""
    app.extensions["translations"] = folder
    babel = Babel(app, locale_selector=_selected)
    babel.domain_instance = _Texts()
    environment = app.jinja_env
    environment.policies["ext.i18n.trimmed"] = True
    # `_` is for attributes and options, which hold no element.
    plain = environment.globals["gettext"]
    environment.install_gettext_callables(_in_page, _in_page_by_number, newstyle=True)  # type: ignore[attr-defined]
    environment.globals["_"] = plain
    app.add_template_filter(shipped)
    app.add_template_filter(day)
    app.context_processor(_for_templates)


def _selected() -> str:
    if not has_request_context():
        return ENGLISH
    if "language" not in g:
        select = g.get("select_language")
        g.language = select() if select else ENGLISH
    return str(g.language).replace("-", "_")


def _in_page(text: str) -> str:
    return _marked(text, get_translations().ugettext(text))


def _in_page_by_number(one: str, many: str, number: int) -> str:
    return _marked(one, get_translations().ungettext(one, many, number))


def _marked(text: str, said: str) -> str:
    """What is still English on a page in another language says so."""
    catalogue = _catalogues().get(current())
    if catalogue is None or catalogue.holds(text):
        return said
    return f'<span lang="en" dir="ltr">{said}</span>'


def _for_templates() -> dict[str, Any]:
    code = current()
    catalogue = _catalogues().get(code)
    return {
        "language": catalogue.language if catalogue else Language(ENGLISH),
        "script_texts": {
            "language": code,
            "texts": catalogue.for_scripts if catalogue else {},
        },
    }


def _catalogues() -> Mapping[str, Catalogue]:
    return catalogues(current_app.extensions["translations"])


def _locale(code: str) -> Locale:
    return Locale.parse(code, sep="-")
