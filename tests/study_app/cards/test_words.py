"""The words on cards: in the language of a study wherever a font has its characters."""

from printables.sheets.face import ENGLISH
from study_app.cards.words import note, words_in
from tests.system_fonts import make_font


def test_arabic_is_in_the_shipped_font(app, installed):
    installed()
    with app.app_context():
        assert words_in("ar").group != ENGLISH.group
        assert note("ar") == note("en") == ""


def test_without_a_font_texts_stay_english_with_a_note(app, installed, tmp_path):
    # It has one character of all that Korean needs.
    installed(make_font(tmp_path / "made.ttf"))
    with app.app_context():
        assert words_in("ko") == ENGLISH
        assert "no font of this computer has all characters of Korean" in note("ko")
