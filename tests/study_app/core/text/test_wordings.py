"""Texts that are stored before they are translated."""

import pytest

from basics.wordings import Wording, packed, unpacked
from study_app.core.text.languages import in_number, rcounted, rgettext, rngettext
from study_app.core.text.wordings import worded
from study_app.stimuli.importing.refusals import FileRefused
from tests.pseudo_language import template, write_pseudo

CARDS = rcounted("%(count)s card", "%(count)s cards")


@pytest.fixture
def in_brackets(app, tmp_path):
    """A German request in which these texts are in brackets."""
    texts = template()
    for text in ("%(place)s: %(why)s", "is blank", ("%(num)s set", "%(num)s sets"), CARDS):
        texts.add(text)
    app.extensions["translations"] = write_pseudo(tmp_path / "po", "de", researchers=texts)
    with app.test_request_context(headers={"Accept-Language": "de"}):
        yield


def _made():
    return rgettext("%(place)s: %(why)s", place="a.png", why=rgettext("is blank"))


def _stored():
    """As a job stores them, which has no request."""
    return [
        packed(one)
        for one in (_made(), in_number(CARDS, 1200), rngettext("%(num)s set", "%(num)s sets", 1))
    ]


def test_a_refusal_is_english_until_it_is_shown():
    made = _made()
    assert made == "a.png: is blank"
    assert isinstance(made, Wording) and isinstance(str(FileRefused(made)), Wording)
    assert [unpacked(one) for one in _stored()] == ["a.png: is blank", "1,200 cards", "1 set"]


def test_a_stored_text_is_shown_in_the_readers_language(app, tmp_path, request):
    stored = _stored()
    request.getfixturevalue("in_brackets")
    assert [worded(one) for one in stored] == [
        "⟦a.png: ⟦is blank⟧⟧",
        "⟦1,200 cards⟧",
        "⟦1 sets⟧",
    ]
    assert [worded("is blank"), worded("written by an earlier version"), worded("")] == [
        "⟦is blank⟧",
        "written by an earlier version",
        "",
    ]
