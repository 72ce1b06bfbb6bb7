"""The languages of the pages: catalogues, and choice for a request.

Participants get the language of their task, or the one that they or their browser chose; assessors
that of their sitting or study; conductors who record a table that of their browser. Researchers get
English, or the language of their browser if an installation has their texts in it.
"""

import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, cast

from babel import Locale
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import format_decimal
from babel.support import NullTranslations, Translations
from flask import Flask, current_app, g, has_request_context, request
from flask_babel import Babel, Domain, get_locale, refresh
from jinja2 import pass_context
from jinja2.runtime import Context

from study_app.core.text.languages import ENGLISH, rgettext, shipped, shipped_in
from study_app.core.text.wordings import worded
from study_app.web.security.security import is_of_participants

FOLDER = Path(__file__).parent.parent / "translations"
# A line at the top of a catalogue; `pybabel update` drops header fields that it does not know.
CHECKED = "Checked by a native speaker: yes"
# Numbers that cover the plural forms of every language; 1 first.
COUNTS = (1, 0, 2, *range(3, 201), 1_000_000)


@dataclass(frozen=True)
class Language:
    """A language of the pages.

    Attributes
    ----------
    code : str
        As in HTML: "de", "zh-Hans".
    checked : bool
        Whether a native speaker has checked the translation.
    """

    code: str
    checked: bool = True

    @cached_property
    def name(self) -> str:
        """Its name in the language itself."""
        name = _locale(self.code).get_display_name() or self.code
        return name[0].upper() + name[1:]

    @property
    def label(self) -> str:
        """Its name in lists for researchers."""
        if self.checked:
            return self.name
        return rgettext("%(language)s (not checked by a native speaker)", language=self.name)

    @cached_property
    def direction(self) -> str:
        """ "ltr" or "rtl"."""
        return _locale(self.code).text_direction


class Catalogue:
    """The translated texts of one language.

    Parameters
    ----------
    path : pathlib.Path
        Path of messages.po. A file researchers.po beside it has the texts of researchers' pages.
    """

    def __init__(self, path: Path) -> None:
        self.messages = _read(path)
        of_researchers = path.with_name("researchers.po")
        self.has_researchers = of_researchers.exists()
        if self.has_researchers:
            for message in _read(of_researchers):
                if message.id and message.id not in self.messages:
                    self.messages[message.id] = message
        self.locale = Locale.parse(path.parts[-3])
        is_checked = CHECKED in self.messages.header_comment
        self.language = Language(str(self.locale).replace("_", "-"), is_checked)

    @property
    def is_empty(self) -> bool:
        """Whether it has no translations."""
        return not any(message.id and message.string for message in self.messages)

    def holds(self, text: str) -> bool:
        """Whether there is a translation of an English text."""
        message = self.messages.get(text)
        return bool(message and message.string and not message.fuzzy)

    @cached_property
    def translations(self) -> Translations:
        """The translations for the server."""
        compiled = io.BytesIO()
        write_mo(compiled, self.messages)
        compiled.seek(0)
        return Translations(compiled)

    @cached_property
    def for_scripts(self) -> Mapping[str, Any]:
        """Translations for scripts, by English text: a text, or its forms by plural category."""
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
        by_category = {category: forms[at] for category, at in self._form_of_category.items()}
        return {"other": forms[-1], **by_category}

    @cached_property
    def _form_of_category(self) -> Mapping[str, int]:
        """Which form, as the catalogue numbers them, each plural category takes."""
        found: dict[str, int] = {}
        for count in COUNTS:
            found.setdefault(self.locale.plural_form(count), self.translations.plural(count))
        return found


def _read(path: Path) -> Catalog:
    with path.open("rb") as file:
        return read_po(file)


@lru_cache(maxsize=16)
def catalogues(folder: Path) -> Mapping[str, Catalogue]:
    """The catalogues in a folder that have translations, by language code."""
    found = [Catalogue(path) for path in sorted(folder.glob("*/LC_MESSAGES/messages.po"))]
    return {one.language.code: one for one in found if not one.is_empty}


_ENGLISH = Language(ENGLISH)
_AS_WRITTEN = NullTranslations()


class _Texts(Domain):
    def get_translations(self) -> NullTranslations:
        catalogue = _catalogue()
        return catalogue.translations if catalogue else _AS_WRITTEN


def offered() -> list[Language]:
    """All languages of the pages, English first."""
    return [_ENGLISH, *(one.language for one in _catalogues().values())]


def choice_for_researchers() -> dict[str, str]:
    """Labels of the languages that a researcher can choose, by code."""
    return {one.code: one.label for one in offered()}


def current() -> str:
    """The code of the language of this request."""
    return _code_of(get_locale())


@lru_cache
def _code_of(locale: Locale | None) -> str:
    # A large page asks for thousands of texts.
    return str(locale or ENGLISH).replace("_", "-")


def use(*codes: str) -> None:
    """Use the first available of these languages for this request, else English."""
    g.language = accepted(*codes)
    refresh()


def accepted(*codes: str) -> str:
    """The first of these codes that is available; else English."""
    known = {one.code for one in offered()}
    return next((code for code in codes if code in known), ENGLISH)


def choose_by(select: Callable[[], str]) -> None:
    """Use `select` to find the language of this request, at the first translation."""
    g.select_language = select


def of_browser() -> str:
    """The language in the URL (`lang=`), or the best one for the browser."""
    return accepted(request.args.get("lang", ""), _preferred([one.code for one in offered()]))


def _of_reader() -> str:
    """Without a choice by the page, as for an address of participants that does not exist."""
    return of_browser() if is_of_participants() else _of_researcher()


def _of_researcher() -> str:
    codes = [code for code, one in _catalogues().items() if one.has_researchers]
    return _preferred([ENGLISH, *codes])


def _preferred(codes: Sequence[str]) -> str:
    """The one of these that the reader prefers, in whatever region or script; else English.

    Werkzeug's `best_match` gives "en" for "zh-CN,zh;q=0.9,en;q=0.8", since only that is exact.
    """
    for wanted, quality in request.accept_languages:
        language = wanted.partition("-")[0].lower()
        found = [code for code in codes if code.partition("-")[0] == language and quality > 0]
        if found:
            return wanted if wanted in found else found[0]
    return ENGLISH


def current_locale() -> Locale:
    """The locale of this request, for dates; English dates are British."""
    code = current()
    return _locale("en-GB" if code == ENGLISH else code)


def init_app(app: Flask, folder: Path = FOLDER) -> None:
    """Register translation for all pages."""
    app.extensions["translations"] = folder
    babel = Babel(app, locale_selector=_selected)
    babel.domain_instance = _Texts()
    environment = app.jinja_env
    environment.policies["ext.i18n.trimmed"] = True
    # `_` and `_n` are for attributes and options, which hold no element.
    texts = cast(dict[str, Any], environment.globals)
    plain, plain_by_number = texts["gettext"], texts["ngettext"]
    # Jinja's extension adds this method to the environment.
    cast(Any, environment).install_gettext_callables(_in_page, _in_page_by_number, newstyle=True)
    texts |= {
        "_": plain,
        "_n": _with_number(plain_by_number),
        "ngettext": _with_number(texts["ngettext"]),
    }
    app.add_template_filter(shipped)
    app.add_template_filter(worded)
    app.add_template_filter(shipped_in)
    app.context_processor(_for_templates)


def _selected() -> str:
    if not has_request_context():
        return ENGLISH
    if "language" not in g:
        g.language = g.get("select_language", _of_reader)()
    return str(g.language).replace("-", "_")


def _in_page(text: str) -> str:
    catalogue = _catalogue()
    if catalogue is None:
        return text
    return _marked(catalogue, text, catalogue.translations.ugettext(text))


def _in_page_by_number(one: str, many: str, number: int) -> str:
    catalogue = _catalogue()
    if catalogue is None:
        return one if number == 1 else many
    return _marked(catalogue, one, catalogue.translations.ungettext(one, many, number))


def _with_number(by_number: Callable[..., str]) -> Callable[..., str]:
    """A function of templates in whose texts `num` is the number as the language writes it."""

    @pass_context
    def written(context: Context, one: str, many: str, number: int, **values: Any) -> str:
        return by_number(context, one, many, number, **{"num": grouped(number), **values})

    return written


def grouped(number: int) -> str:
    """A whole number with the language's separator of thousands, in digits as on the keys."""
    code = current()
    return f"{number:,}" if code == ENGLISH else format_decimal(number, locale=_locale(code))


def _marked(catalogue: Catalogue, text: str, translation: str) -> str:
    """Mark a text as English if the page's language has no translation of it."""
    if catalogue.holds(text):
        return translation
    return f'<span lang="en" dir="ltr">{translation}</span>'


def _for_templates() -> dict[str, Any]:
    catalogue = _catalogue()
    return {
        "language": catalogue.language if catalogue else _ENGLISH,
        # Words of researchers on a page of participants or conductors.
        "has_researchers": catalogue is None or catalogue.has_researchers,
        "script_texts": {
            "language": current(),
            "texts": catalogue.for_scripts if catalogue else {},
        },
    }


def _catalogues() -> Mapping[str, Catalogue]:
    return catalogues(current_app.extensions["translations"])


def _catalogue() -> Catalogue | None:
    """The catalogue of this request's language; None for English, which jobs use without them."""
    code = current()
    return None if code == ENGLISH else _catalogues().get(code)


@lru_cache
def _locale(code: str) -> Locale:
    return Locale.parse(code, sep="-")
