"""Codes: the standard's example, round trips, detected errors, keyboard layouts, and symbols."""

import doctest

import cv2
import numpy as np
import pytest
import zxingcpp
from hypothesis import given, settings
from hypothesis import strategies as st

from printables.cards import card, codes
from printables.cards.codes import CardCode, decode, encode, restore_digits, symbol
from printables.cards.keyboards import digit_keys
from printables.errors import PaperError

card_codes = st.builds(
    CardCode,
    set_number=st.integers(1, 9999),
    card=st.integers(1, 99999),
    deck=st.integers(1, 99),
    edition=st.integers(0, 9),
)
# All digits, so that a key missing in a layout would be noticed.
ALL_DIGITS = CardCode(set_number=1234, card=56789, deck=10, edition=2)


@pytest.mark.parametrize("module", [codes, card])
def test_the_examples_of_the_documentation(module):
    tried = doctest.testmod(module)
    assert tried.attempted > 0 and tried.failed == 0


def test_check_digits_of_the_standard():
    # ISO/IEC 7064 for MOD 97-10: 794 is protected as 79444.
    assert codes.check_digits("794") == "44"


def test_check_digits_of_an_iban():
    # ISO 13616 uses the same system: BE62 5100 0754 7061 with BE = 11 14 moved to the end.
    assert codes.check_digits("5100075470611114") == "62"


def test_a_code_by_hand():
    # 0001 00042 01 1: 1000420110000 mod 97 by hand is 79 (remainder of the body times 100).
    assert encode(CardCode(1, 42, 1, 1)) == "00010004201119"


@given(card_codes)
def test_decode_undoes_encode(code):
    assert decode(encode(code)) == code


@given(card_codes, st.integers(0, 13), st.integers(1, 9))
def test_one_wrong_digit_is_detected(code, place, step):
    digits = encode(code)
    wrong = digits[:place] + str((int(digits[place]) + step) % 10) + digits[place + 1 :]
    with pytest.raises(PaperError):
        decode(wrong)


@given(card_codes, st.integers(0, 12))
def test_transposed_digits_are_detected(code, place):
    digits = encode(code)
    swapped = digits[:place] + digits[place + 1] + digits[place] + digits[place + 2 :]
    if swapped != digits:
        with pytest.raises(PaperError):
            decode(swapped)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "14 digits"),
        ("abc", "14 digits"),
        ("٠٠٠١٠٠٠٤٢٠١١١٩", "14 digits"),
        ("0001000420111", "13 digits"),
        ("00010004201118", "check digits"),
        ("00000000000098", "card 0"),
    ],
)
def test_other_texts_are_refused_with_a_message(text, message):
    with pytest.raises(PaperError, match=message):
        decode(text)


@pytest.mark.parametrize(
    "numbers", [(10000, 1, 1, 0), (1, 100000, 1, 0), (1, 0, 1, 0), (1, 1, 100, 0), (1, 1, 1, 10)]
)
def test_numbers_out_of_range_are_refused(numbers):
    with pytest.raises(PaperError, match="on a card"):
        CardCode(*numbers)


@pytest.mark.parametrize("numbers", [(0, 1, 1, 0), (1, 1, 0, 0)])
def test_set_0_and_deck_0_are_reserved_for_header_cards(numbers):
    with pytest.raises(PaperError, match="header"):
        CardCode(*numbers)


def test_header_cards():
    assert codes.header_group(decode(encode(codes.header_code(12)))) == 12
    assert codes.header_group(CardCode(1, 12, 1, 0)) is None


def test_deck_letters():
    assert [codes.deck_letter(n) for n in (1, 2, 26, 27, 52, 53, 99)] == [
        "A", "B", "Z", "AA", "AZ", "BA", "CU",
    ]  # fmt: skip
    assert all(codes.deck_number(codes.deck_letter(n)) == n for n in range(1, 100))
    assert codes.deck_number(" b ") == 2


@pytest.mark.parametrize("letter", ["", "1", "CV", "Ä", "AAAAAAAA"])
def test_invalid_deck_letters_are_refused(letter):
    with pytest.raises(PaperError, match="not a deck"):
        codes.deck_number(letter)


@pytest.mark.parametrize("deck", [0, 100])
def test_invalid_deck_numbers_are_refused(deck):
    with pytest.raises(PaperError, match="no deck"):
        codes.deck_letter(deck)


def through(digits, keys, choose):
    """Type digits on a layout, choosing one of each key's characters."""
    return "".join(choose([c for c, d in keys.items() if d == digit]) for digit in digits)


@pytest.mark.parametrize("layout", digit_keys())
def test_every_layout_has_a_key_for_every_digit(layout):
    assert set(digit_keys()[layout].values()) == set("0123456789")


@pytest.mark.slow
@pytest.mark.parametrize("layout", digit_keys())
@pytest.mark.parametrize("level", ["first", "last", "any"])
@settings(max_examples=30)
@given(code=card_codes, shifts=st.randoms(use_true_random=False))
def test_digits_typed_on_every_layout_are_restored_or_refused(layout, level, code, shifts):
    # If two layouts give two cards (1 in 97 texts on which they differ), the text is refused.
    choose = {"first": min, "last": max, "any": shifts.choice}[level]
    typed = through(encode(code), digit_keys()[layout], choose)
    try:
        assert restore_digits(typed) == encode(code)
    except PaperError as refusal:
        if typed.isascii() and typed.isdecimal():
            return  # only on a layout with digits on other keys: digits are not converted
        assert "two cards" in str(refusal)


@pytest.mark.parametrize(
    "row",
    [
        "&é\"'(-è_çà", "&é\"'(§è!çà", "+ěščřžýáíé", "+ľščťžýáíé", "ąčęėįšųū90", "123456789ö",
        "!@#$%^&*()", "+ĚŠČŘŽÝÁÍÉ", "１２３４５６７８９０", "١٢٣٤٥٦٧٨٩٠",
    ],
)  # fmt: skip
def test_all_ten_keys_of_a_layout(row):
    typed = "".join(row["1234567890".index(digit)] for digit in encode(ALL_DIGITS))
    assert restore_digits(typed + "\r\n") == encode(ALL_DIGITS)


def test_spaces_are_ignored():
    assert restore_digits(" 0001 00042 01 1 19\t") == "00010004201119"


@given(card_codes, st.integers(0, 13), st.integers(1, 9))
def test_a_wrong_key_on_a_czech_keyboard_is_refused(code, place, step):
    digits = encode(code)
    wrong = digits[:place] + str((int(digits[place]) + step) % 10) + digits[place + 1 :]
    with pytest.raises(PaperError):
        restore_digits("".join("é+ěščřžýáí"[int(digit)] for digit in wrong))


@pytest.mark.parametrize("text", ["", "hello world 14", "àààé", "00010004201118", "é" * 14])
def test_texts_of_no_keyboard_layout_are_refused(text):
    with pytest.raises(PaperError):
        restore_digits(text)


def test_symbol_is_version_1_level_h_mask_3():
    modules = symbol(encode(ALL_DIGITS))
    assert modules.shape == (21, 21)
    assert modules.dtype == bool
    # ISO/IEC 18004, annex C: format 10 (H) 011 (mask 3) is encoded as 001100111010000.
    around = [*modules[8, :6], modules[8, 7], modules[8, 8], modules[7, 8], *modules[5::-1, 8]]
    assert "".join("1" if dark else "0" for dark in around) == "001100111010000"


@given(card_codes)
def test_another_library_reads_the_symbol(code):
    picture = np.pad(np.where(symbol(encode(code)), 0, 255).astype(np.uint8), 4, "constant",
                     constant_values=255)  # fmt: skip
    read = zxingcpp.read_barcodes(cv2.resize(picture, None, fx=4, fy=4, interpolation=0))
    assert [found.text for found in read] == [encode(code)]


def test_symbols_are_reproducible_and_read_only():
    first = symbol("00010004201119").copy()
    symbol.cache_clear()
    assert (symbol("00010004201119") == first).all()
    with pytest.raises(ValueError, match="read-only"):
        symbol("00010004201119")[0, 0] = False


def test_an_invalid_code_has_no_symbol():
    with pytest.raises(PaperError):
        symbol("12345678901234")
