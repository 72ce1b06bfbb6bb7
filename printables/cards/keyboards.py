"""The digit keys of keyboard layouts, to undo a layout that does not match the scanner's.

A hand scanner sends key presses, not characters. If the computer's keyboard layout differs from the
scanner's, the digit keys give letters and symbols. Each layout lists the characters of the ten keys
1 … 9, 0, with or without shift. Many national layouts differ from these in other keys only.

References
----------
xkeyboard-config, symbols/*, first two levels of the keys AE01 to AE10 (and TLDE for Hungarian).
"""

from functools import cache

UNSHIFTED_DIGITS = {
    "United States": "!@#$%^&*()",
    "United Kingdom": '!"£$%^&*()',
    "Germany": '!"§$%&/()=',
    "Switzerland": '+"*ç%&/()=',
    "Spain": '!"·$%&/()=',
    "Italy": '!"£$%&/()=',
    "Portugal, Croatia, Serbia": '!"#$%&/()=',
    "Nordic, Estonia": '!"#¤%&/()=',
    "Turkey": "!'^+%&/()=",
    "Brazil": "!@#$%¨&*()",
    "Canada": '!"/$%?&*()',
    "Japan": "!\"#$%&'()0",
    "Israel, Arabic": "!@#$%^&*)(",
    "Russia, Ukraine": '!"№;%:?*()',
    "Ukraine, apostrophe": "!'№;%:?*()",
    "Bulgaria": '!?+"%=:/_№',
    "Iran": "!٬٫﷼٪×،*)(",
}

SHIFTED_DIGITS = {
    "France": "&é\"'(-è_çà",
    "Belgium": "&é\"'(§è!çà",
    "France, AFNOR": "àéèê()‘’«»",
    "France, bépo": '"«»()@+-/*',
    "Czechia": "+ěščřžýáíé",
    "Slovakia": "+ľščťžýáíé",
    "Lithuania, ĄŽERTY": "!-/;:,.=()",
    "Lithuania, IBM": '!"/;:,.?()',
    "Georgia": "!№,;%:?.()",
    "Russia, typewriter": '№-/":,._?%',
    "Ukraine, typewriter": "!№/;:,._?%",
    "Morocco, Tifinagh": "&~\"'(-`_^@",
}

OTHER_ROWS = {
    "Hungary": ("123456789ö", "'\"+!%/=()Ö"),
    "Lithuania": ("ąčęėįšųū90", "ĄČĘĖĮŠŲŪ()"),
    "Lithuania, quotes": ("ąčęėįšųū„“", "ĄČĘĖĮŠŲŪ()"),
    "Vietnam": ("ăâêô\u0300\u0309\u0303\u0301\u0323đ", "ĂÂÊÔ%^&*(Đ"),
    "Kazakhstan": ('"әіңғ,.үұқ', "!ӘІҢҒ;:ҮҰҚ"),
    "Thailand": ("ๅ/-ภถุึคตจ", "+๑๒๓๔ู฿๕๖๗"),
    "Japan, kana": ("ぬふあうえおやゆよわ", "ぬふぁぅぇぉゃゅょを"),
    "Armenia": ("էթփձջւևրչճ", "ԷԹՓՁՋՒևՐՉՃ"),
    "Dvorak for programmers": ("&[{}(=*)+]", "%753190246"),
}


@cache
def digit_keys() -> dict[str, dict[str, str]]:
    """Map each layout's characters to the digit on the same key.

    Returns
    -------
    dict of dict
        Layout to character to digit. Characters typed with caps lock are included, and the digits
        of the number pad unless the layout has them on other keys.
    """
    rows = dict(OTHER_ROWS)
    rows |= {layout: ("1234567890", shifted) for layout, shifted in UNSHIFTED_DIGITS.items()}
    rows |= {layout: (base, "1234567890") for layout, base in SHIFTED_DIGITS.items()}
    return {layout: _keys(base, shifted) for layout, (base, shifted) in rows.items()}


def _keys(base: str, shifted: str) -> dict[str, str]:
    digits = "1234567890"
    keys = dict(zip(shifted, digits, strict=True)) | dict(zip(base, digits, strict=True))
    for character, digit in zip(base, digits, strict=True):
        if len(character.upper()) == 1:
            keys.setdefault(character.upper(), digit)
    for digit in digits:
        keys.setdefault(digit, digit)
    return keys
