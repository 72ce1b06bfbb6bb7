"""Restoring dark lines that overexposed paper covers with its light.

The light of white paper spreads over a pixel or two through the lens and the sensor, and a dark
line beside it gets as much light as it loses to the paper. Where the paper is clipped
(overexposed), its own loss is cut off and the line's gain is not: lines become thinner and paler,
and modules of a symbol vanish. A minimum filter widens what is left of them.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from printables.reading.photos.ink import Places, dark_shares

CLIPPED, _LEAST_SHARE = 250, 0.2
"""Grey level, of 255, from which a pixel counts as clipped, and least share of such pixels around a
place that counts as overexposed. Of 450 cards overexposed by two stops, with 1.5 (300 cards) and
2.1 pixels per module (150), 449 are read; at .4 of the second number one fewer, at .6 109 fewer, at
254 and .4 41 fewer. Two photos of "careless" differ by one card at most."""
_STEP, _WINDOW = 4, 9
"""Only every fourth pixel is examined; side of the neighbourhood, in these pixels. It is smaller
than a symbol. With a share of .4, 12 fewer of the same cards are read at 5, and 4 fewer at 17."""
_BLOCK, _STRIPS = 6, 60
"""Side of the blocks of pixels whose noise is examined, and about how many rows of them, which only
saves time. JPEG's blocks have 8 pixels: of side 8, blocks of ordinary photos of low quality have no
noise, either."""
_LEAST_WHITE, _AS_WHITE, _FREE_OF_NOISE = 200, 12, 0.42
"""Least grey level of the lightest places of an overexposed photo, how much darker others may be to
count as equally light, and the least share of these that has no noise. It was at least .45 in 24
photos overexposed by three and four stops (.32 in a photo on wood shrunk to 1,000 pixels), at most
.28 in 16 well exposed ones, and at most .41 in 195 others by two other simulators."""
_SPIKE, _LEAST_SPIKE, _BELOW_WHITE = 2.0, 0.005, 3
"""How many times as many pixels have the two most frequent light grey levels as the two below or
above if they are those of clipped places, and least share of all pixels that have them; and how
much darker clipped places may be. In 194 photos by a fourth simulator, 27,701 instead of 27,509
cards are read: in one with half of the table in the sun 133 instead of 46 of 150, since sharpened
edges are lighter there than what is clipped. None was varied in any measurement."""
_FRAME = 8
"""Greatest difference of the grey levels in a row or column of a frame around a photo. It was not
varied in any measurement."""
_PARTLY_FREE = 0.25
"""The same for a photo that is overexposed in part, or of which many light pixels have the same
level. Of 300 cards below a lamp, in a photo by a second simulator, 294 instead of 275 are read;
there the share is .35. Of those levels it is .30 to .44 in three photos overexposed by 2.5 and 3
stops, on wood, and darkened and sharpened: of 150 and 300 cards, all are read instead of none."""
_LINES_LOST = 0.15
"""Share of the symbols' area that is dark, in the median, below which overexposure loses codes. It
was .09 to .12 in photos of four scenes that lost some, .12 to .50 where none was lost."""
_LEFT = (0.1, 1.3)
"""Least and most of a card's area that is dark, as a share of a read card's, if the card is only
overexposed: with a thing on it more is dark, and nothing on its back. The share was .3 to .94 in
the four scenes of `_LINES_LOST`."""
_TELLING = 0.01
"""Share of the read cards' area that is dark, in the median, below which others without anything
dark may have lost all lines, too. It was .004 in two photos overexposed by 4.5 and 6 stops, where
6 of 9 and 9 of 18 unread cards had nothing dark."""
_LINE_PX, _DARK_LEVEL, _MOST_INK = 9, 128, 0.004
"""Width of a line in pixels, the grey level from which it is dark, and the share of such pixels on
white above which a picture is not overexposed. It was at least .0059 in 79 pictures of screens with
text, and at most .0015 in 54 overexposed photos in which nothing was read."""
_MOST_EXAMINED = 40
"""About how many symbols or cards are examined, if there are more. Only saves time."""

Grey = NDArray[np.uint8]


def widen_overexposed_lines(grey: Grey, by: float = 0.5, clipped: int = CLIPPED) -> Grey:
    """Widen the dark lines in the overexposed areas of a photo by about a pixel.

    Parameters
    ----------
    grey : uint8 array, shape (height, width)
    by : float
        How far each pixel is darkened, as a share of the way to the darkest one beside it.
    clipped : int
        Grey level from which a pixel counts as clipped.

    Returns
    -------
    uint8 array, shape (height, width)
        The same array if nothing is overexposed.
    """
    light = cv2.inRange(np.ascontiguousarray(grey[::_STEP, ::_STEP]), clipped, 255)
    share = cv2.blur(light, (_WINDOW, _WINDOW))
    overexposed = cv2.inRange(share, round(255 * _LEAST_SHARE), 255)
    left, top, width, height = np.multiply(cv2.boundingRect(overexposed), _STEP).tolist()
    if not width:
        return grey
    place = np.s_[top : top + height, left : left + width]
    part, some = grey[place], overexposed[top // _STEP :, left // _STEP :]
    mask = cv2.resize(some, None, fx=_STEP, fy=_STEP, interpolation=cv2.INTER_NEAREST)
    darkest = cv2.erode(part, np.ones((3, 3), np.uint8))
    widened = cv2.addWeighted(part, 1 - by, darkest, by, 0)
    restored = grey.copy()
    cv2.copyTo(widened, mask[: part.shape[0], : part.shape[1]], restored[place])
    return restored


def widened_everywhere(grey: Grey) -> Grey:
    """Widen the dark lines of a whole photo by a pixel on each side.

    Parameters
    ----------
    grey : uint8 array, shape (height, width)

    Returns
    -------
    uint8 array, shape (height, width)
    """
    return np.asarray(cv2.erode(grey, np.ones((3, 3), np.uint8)), np.uint8)


def is_overexposed(grey: Grey, partly: bool = False) -> bool:
    """Whether the lightest places of a photo are clipped.

    Their noise is clipped with their light. Phones that balance tones afterwards may show them
    darker than 255.

    Parameters
    ----------
    grey : uint8 array, shape (height, width)
    partly : bool
        Whether a part of these places is enough, as below a lamp, or that many light pixels have
        the same level.

    Returns
    -------
    bool
    """
    return _Lightest.of(grey).are_clipped(partly)


def clipped_level(grey: Grey) -> int:
    """Find the grey level from which places of a photo are clipped.

    Phones that balance tones afterwards make all clipped places equally dark, and sharpening makes
    the paper beside edges lighter.

    Parameters
    ----------
    grey : uint8 array, shape (height, width)

    Returns
    -------
    int
        At most 250; less if many light pixels have the same level, or if the photo is overexposed.
    """
    lightest = _Lightest.of(grey)
    clipped = lightest.spike or lightest.are_clipped()
    return min(lightest.usual - _BELOW_WHITE, CLIPPED) if clipped else CLIPPED


def _usual_white(grey: Grey) -> tuple[int, bool]:
    """The most frequent light grey level, and whether it is that of clipped places, which may have
    two levels since grey is the rounded sum of three colours."""
    some = np.ascontiguousarray(grey[::_STEP, ::_STEP])
    # OpenCV counts in a third of the time, and pairs of levels reach beyond the last one
    counts = np.append(cv2.calcHist([some], [0], None, [256], [0, 256]).ravel(), np.zeros(4))
    pairs = counts[:-1] + counts[1:]
    first = _LEAST_WHITE + int(pairs[_LEAST_WHITE:256].argmax())
    white = first + int(counts[first + 1] > counts[first])
    least = max(_SPIKE * max(pairs[first - 2], pairs[first + 2]), _LEAST_SPIKE * counts.sum())
    return white, bool(pairs[first] >= least > 0)


@dataclass(frozen=True)
class _Lightest:
    """The lightest places of a photo: their grey level, the level that most light pixels share, the
    share of these places without noise, and whether the level that most share is that of clipped
    places."""

    white: float
    usual: int
    free: float
    spike: bool

    @classmethod
    def of(cls, grey: Grey) -> "_Lightest":
        """Examine a photo."""
        grey = _within_frame(grey)
        usual, spike = _usual_white(grey)
        rows, columns = (side // _BLOCK for side in grey.shape)
        if not rows or not columns:
            return cls(0.0, usual, 0.0, spike)
        whole = grey[: rows * _BLOCK, : columns * _BLOCK]
        strips = whole.reshape(rows, _BLOCK, -1)[:: max(rows // _STRIPS, 1)]
        # along whole rows first, and then of whole rows, too, which is several times as fast
        most, least = (
            np.ascontiguousarray(rim.reshape(len(strips), columns, _BLOCK).transpose(2, 0, 1))
            for rim in (strips.max(1), strips.min(1))
        )
        most, least = most.max(0), least.min(0)
        clipped = min(usual - _BELOW_WHITE, CLIPPED) if spike else CLIPPED
        # the lightest blocks of a sharpened photo are beside edges
        white = float(usual if spike else np.percentile(most, 97))
        light = most >= white - _AS_WHITE
        flat = (most - least <= 1) | (least >= clipped)
        return cls(white, usual, float(flat[light].mean()), spike)

    def are_clipped(self, partly: bool = False) -> bool:
        """As `is_overexposed`."""
        enough = self.free >= (_PARTLY_FREE if partly or self.spike else _FREE_OF_NOISE)
        return bool(self.white >= _LEAST_WHITE and enough) or (partly and self.spike)


def _within_frame(grey: Grey) -> Grey:
    """A photo without the even frame that a picture of it may have."""
    some, within = grey[::_STEP, ::_STEP], []
    # few photos have a frame, and to examine all rows and columns takes as long as the rest
    if all(np.ptp(side) > _FRAME for side in (some[0], some[-1], some[:, 0], some[:, -1])):
        return grey
    for axis in (0, 1):
        varied = np.flatnonzero(np.ptp(some, 1 - axis) > _FRAME)
        within.append(slice(*(_STEP * (varied[[0, -1]] + (0, 1)))) if len(varied) else slice(None))
    return grey[within[0], within[1]]


def has_dark_lines(grey: Grey) -> bool:
    """Whether there are dark lines on the lightest places of a picture, which overexposure covers.

    Parameters
    ----------
    grey : uint8 array, shape (height, width)

    Returns
    -------
    bool
    """
    white = float(np.percentile(grey[::_STEP, ::_STEP], 97))
    around = cv2.morphologyEx(grey, cv2.MORPH_CLOSE, np.ones((_LINE_PX, _LINE_PX), np.uint8))
    lines = (around >= white - _AS_WHITE) & (grey <= _DARK_LEVEL)
    return bool(lines.mean() > _MOST_INK)


def loses_lines(grey: Grey, symbols: Places) -> bool:
    """Whether a photo is overexposed so much that symbols lose dark modules.

    Parameters
    ----------
    grey : uint8 array, shape (height, width)
    symbols : float array, shape (symbols, 4, 2)
        Corners of the symbols in the photo, read or not, pixels.

    Returns
    -------
    bool
    """
    some = symbols[:: max(len(symbols) // _MOST_EXAMINED, 1)]
    if not len(some) or np.median(dark_shares(grey, some)) > _LINES_LOST:
        return False
    return is_overexposed(grey)


def lost_lines(grey: Grey, unread: Places, read: Places) -> NDArray[np.bool_]:
    """Test which cards lost dark lines to overexposure, in a photo that loses lines.

    Parameters
    ----------
    grey : uint8 array, shape (height, width)
    unread, read : float array, shape (cards, 4, 2)
        Outlines of unread and read cards, pixels.

    Returns
    -------
    bool array, shape (cards,)
        Of the unread ones; all if no card was read.
    """
    if not len(unread) or not len(read):
        return np.ones(len(unread), bool)
    some = read[:: max(len(read) // _MOST_EXAMINED, 1)]
    usual = max(float(np.median(dark_shares(grey, some))), 1e-6)
    dark = dark_shares(grey, unread) / usual
    return np.asarray(((dark > _LEFT[0]) | (usual < _TELLING)) & (dark < _LEFT[1]))
