"""Places where symbols are searched for again, and outlines that are those of other cards."""

from dataclasses import replace

import numpy as np
import pytest

from printables.cards.card import CardLayout
from printables.reading.deck.known_deck import KnownDeck
from printables.reading.passes import detect_symbols
from printables.reading.photos.photo import load_grey
from printables.reading.reader import read_photo
from printables.reading.unread.outline_search import places_like_symbols
from printables.scenes.card_on_table import CardOnTable
from printables.scenes.render import render_table
from printables.tabletop.plane import map_points
from tests.bench import tables
from tests.bench.conditions import PLAIN
from tests.bench.scenes import ORDINARY, as_jpeg, print_cards, score
from tests.bench.tables import pictured
from tests.printables.reading.unread.test_part_search import in_columns


def test_places_like_symbols_are_those_of_cards_that_were_not_read(monkeypatch):
    scene, printed = in_columns(monkeypatch, 3)
    detected = detect_symbols(load_grey(scene.jpeg), printed.deck)
    everything = places_like_symbols(detected)
    # As if the card had not been read, and nothing known of it.
    hidden = detected.symbols.pop(0)
    middle = map_points(detected.plan.to_table, hidden.corners.mean(0)[None])
    places = places_like_symbols(detected)
    nearest = np.linalg.norm(places - middle, axis=1).min()
    assert nearest < detected.layout.symbol.width / 2
    assert not len(everything) or np.linalg.norm(everything - middle, axis=1).min() > nearest


def test_nothing_is_like_a_symbol_before_one_was_read_or_on_a_patterned_table(monkeypatch):
    scene, printed = in_columns(monkeypatch, 3)
    grey = load_grey(scene.jpeg)
    detected = detect_symbols(grey, printed.deck)
    noise = np.random.default_rng(0).integers(0, 256, detected.view.grey.shape, np.uint8)
    detected.view = replace(detected.view, grey=noise)
    assert places_like_symbols(detected).shape == (0, 2)
    detected.symbols.clear()
    assert places_like_symbols(detected).shape == (0, 2)


@pytest.mark.parametrize("size", [(48.0, 68.0), (88.0, 58.0)])
def test_cards_of_another_deck_of_another_size_are_no_unread_cards(size):
    printed, other = print_cards(40), print_cards(12, CardLayout(*size), 13, 2)
    # the deck's last cards are not on the table; the fourth lies face down
    deck = KnownDeck(printed.deck.codes[:16], printed.deck.layout)
    faces = [printed.faces[code] for code in deck.codes[:10]]
    faces[3] = np.full_like(faces[3], 248)
    cards = [
        CardOnTable(face, 66, 46, 76.0 * (n % 5), 56.0 * (n // 5), 3.0 * np.sin(n))
        for n, face in enumerate(faces)
    ]
    cards += [
        CardOnTable(face, *size, 100.0 * n, 200.0, 5.0 * np.cos(n))
        for n, face in enumerate(list(other.faces.values())[:4])
    ]
    camera = replace(ORDINARY, megapixels=6)
    photo, to_pixels = render_table(cards, camera, np.random.default_rng(4))
    reading = read_photo(as_jpeg(photo), deck)
    assert (len(reading.symbols), len(reading.foreign)) == (9, 4)
    at = map_points(to_pixels, cards[3].to_table(np.array([[33.0, 23.0]])))
    side = np.linalg.norm(reading.unread[0, 1] - reading.unread[0, 0])
    assert len(reading.unread) == 1
    assert np.abs(reading.unread[0].mean(0) - at).max() < side / 8


@pytest.mark.slow
def test_symbols_are_searched_for_on_cards_of_which_one_end_is_in_the_sun(monkeypatch):
    """21 of the 40 are read without."""
    monkeypatch.setattr(tables, "MEGAPIXELS", 4)
    printed = print_cards(40)
    sunny = replace(PLAIN, stops=(2.5, 2.5), window=0.12)
    scene = pictured(printed, 40, sunny, 5)
    found = score(scene, read_photo(scene.jpeg, printed.deck))
    assert found.read >= 28 and found.false == 0
