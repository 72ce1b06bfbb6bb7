"""Warnings about a picture as people will see it: blank, mostly dark, tiny."""

from typing import cast

import numpy as np
from PIL import Image

from study_app.core.text.languages import rgettext, rtranslatable

# With shorter sides than this, pixels are visible on a card.
TINY_PIXELS = 64
# A blank scan has some noise; a drawing has ink on a white background.
BLANK_RANGE = 12
DARK_MEDIAN = 96

BLANK = rtranslatable("is blank")
HIDDEN = rtranslatable(
    "shows nothing on white: its lines are as light as the background; give it dark lines"
)


def remarks_on(shown: Image.Image) -> list[str]:
    """Warnings about a picture; each completes a sentence that starts with its name.

    Parameters
    ----------
    shown : PIL.Image.Image
        Mode L or RGB.

    Returns
    -------
    list of str
    """
    grey = shown.convert("L")
    found = []
    if is_blank(grey):
        found.append(BLANK)
    elif _is_dark(grey):
        found.append(rtranslatable("is mostly dark; is it inverted?"))
    if max(shown.size) < TINY_PIXELS:
        found.append(
            rgettext(
                "is only %(width)s x %(height)s pixels", width=shown.width, height=shown.height
            )
        )
    return found


def is_blank(shown: Image.Image) -> bool:
    """Whether a picture looks empty."""
    # Pillow declares the extremes of pictures with one band and with several alike.
    low, high = cast(tuple[int, int], shown.convert("L").getextrema())
    return high - low <= BLANK_RANGE


def has_hidden_lines(picture: Image.Image) -> bool:
    """Whether a picture that looks blank on white has lines on a transparent background."""
    if "A" not in picture.getbands() and "transparency" not in picture.info:
        return False
    low, high = picture.convert("RGBA").getchannel("A").getextrema()
    return low != high


def _is_dark(grey: Image.Image) -> bool:
    """Whether at least half of the pixels are dark; counted so, since a histogram takes longer."""
    dark = int(np.count_nonzero(np.asarray(grey) < DARK_MEDIAN))
    return 2 * dark >= grey.width * grey.height
