"""How tables are left and photographed, from "plain" to "careless", and each effect alone.

"Plain" are cards laid tidily, groups 40 mm apart and cards within 25 mm, by a good phone by day.
"Ordinary" is what a careful person's phone gives: cards cut up to 1.9 mm beside the line, groups
37 mm apart and cards within 27 mm, a few cards covered, turned over or pushed against others.
"Careless" is what nobody took care of: groups 34 mm apart and cards within 28 mm, fans, piles, a
hand, steep views, and photos too light or too dark. With the reader of issue 9, levels were made
as hard as those of another simulator of phone photos.

A pair is the least and the most of what is drawn for each scene, or for each card where it says so.
"""

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Conditions:
    """What happens to cards, table and photo.

    Attributes
    ----------
    cut_mm, cut_deg : (float, float)
        How far each edge of each card is cut off its line, and turned.
    bend_mm : (float, float)
        How far each card's ends, or its middle, are off the table.
    paper : float
        Light that the cards' paper reflects, as a share of white paper's.
    inside_mm, between_mm : float
        Distance within which cards of a group lie, and by which groups are apart.
    untidiness_deg : float
        Standard deviation of the cards' turns.
    overlapping : float
        Share of the cards that are pushed against or over a neighbour.
    stacked : float
        Share of the groups in which some cards are fanned out or piled.
    piled : float
        Share of the groups in which two to four cards lie exactly on one another.
    columns : float
        Share of the groups in which some cards lie below one another, each over a part of the one
        before.
    things : float
        Pens, coins and cups that lie over cards, for 60 cards.
    hand : float
        How likely a hand reaches over a card.
    face_down : float
        Share of the cards that lie with the blank side up.
    tilt_deg : (float, float)
    lens : (float, float)
        1 is a poor lens: 2.5 % of distortion, a third of the light gone in the corners.
    defocus_px, motion_px, blur_px : (float, float)
        Diameter of the disk, length of the streak, standard deviation of the lens's blur.
    stops : (float, float)
        Over or under the exposure at which white paper gets 0.6 of the light that clips.
    glare, shadow, unevenness : (float, float)
        Of the light.
    window : float or None
        How much of the light is left in the shadow of a window's frame.
    sun : float or None
        By how many stops it is lighter where the sun shines through a window.
    white : float or None
        How light a phone shows what is clipped, as a share of white, and the rest with it; edges
        are sharpened then, so that paper is lighter beside them.
    noise : (float, float)
        Sensitivity over that by day.
    processing : (float, float)
        1 is what phones do by day: denoising, halos, tones and local contrast.
    quality : (float, float)
        Of the JPEG file.
    longest_px : int or None
        To which a messenger shrinks the photo.
    grounds : tuple of str
        One is drawn.
    """

    cut_mm: tuple[float, float] = (0.0, 0.0)
    cut_deg: tuple[float, float] = (0.0, 0.0)
    bend_mm: tuple[float, float] = (0.0, 0.0)
    paper: float = 1.0
    inside_mm: float = 25.0
    between_mm: float = 40.0
    untidiness_deg: float = 8.0
    overlapping: float = 0.0
    stacked: float = 0.0
    piled: float = 0.0
    columns: float = 0.0
    things: float = 0.0
    hand: float = 0.0
    face_down: float = 0.0
    tilt_deg: tuple[float, float] = (5.0, 20.0)
    lens: tuple[float, float] = (0.0, 0.0)
    defocus_px: tuple[float, float] = (0.0, 0.0)
    motion_px: tuple[float, float] = (0.0, 0.0)
    blur_px: tuple[float, float] = (0.6, 0.8)
    stops: tuple[float, float] = (0.0, 0.0)
    glare: tuple[float, float] = (0.0, 0.0)
    shadow: tuple[float, float] = (0.0, 0.0)
    unevenness: tuple[float, float] = (0.1, 0.3)
    window: float | None = None
    sun: float | None = None
    white: float | None = None
    noise: tuple[float, float] = (1.0, 1.0)
    processing: tuple[float, float] = (0.5, 0.5)
    quality: tuple[float, float] = (92, 92)
    longest_px: int | None = None
    grounds: tuple[str, ...] = ("wood",)


PLAIN = Conditions()

ORDINARY = Conditions(
    cut_mm=(0.0, 1.9),
    cut_deg=(0.0, 1.2),
    bend_mm=(0.0, 1.2),
    inside_mm=27.0,
    between_mm=37.0,
    untidiness_deg=12.0,
    overlapping=0.02,
    things=0.7,
    face_down=0.007,
    tilt_deg=(10.0, 33.0),
    lens=(0.3, 0.6),
    defocus_px=(0.3, 2.2),
    motion_px=(0.2, 2.2),
    stops=(-0.5, 0.5),
    glare=(0.0, 0.3),
    shadow=(0.0, 0.35),
    unevenness=(0.1, 0.4),
    noise=(1.0, 3.0),
    processing=(0.6, 1.2),
    quality=(82, 92),
    grounds=("wood", "white", "dark", "checked", "striped"),
)

CARELESS = Conditions(
    cut_mm=(0.2, 2.0),
    cut_deg=(0.0, 1.5),
    bend_mm=(0.0, 3.0),
    inside_mm=28.0,
    between_mm=34.0,
    untidiness_deg=18.0,
    overlapping=0.08,
    stacked=0.08,
    things=1.2,
    hand=0.5,
    face_down=0.012,
    tilt_deg=(20.0, 38.0),
    lens=(0.5, 1.0),
    defocus_px=(0.5, 2.8),
    motion_px=(0.5, 3.3),
    stops=(-1.3, 1.3),
    glare=(0.2, 0.8),
    shadow=(0.2, 0.6),
    unevenness=(0.2, 0.5),
    noise=(2.0, 6.0),
    processing=(0.8, 2.0),
    quality=(65, 88),
    grounds=("wood", "white", "dark", "checked", "striped", "flowered"),
)

LEVELS = {"plain": PLAIN, "ordinary": ORDINARY, "careless": CARELESS}

EFFECTS = {
    "cut": replace(PLAIN, cut_mm=(1.0, 2.0), cut_deg=(1.0, 2.0)),
    "bent": replace(PLAIN, bend_mm=(2.0, 5.0)),
    "overlapping": replace(PLAIN, overlapping=0.3),
    "stacked": replace(PLAIN, stacked=0.5),
    "columns": replace(PLAIN, columns=0.5),
    "things": replace(PLAIN, things=10.0),
    "hand": replace(PLAIN, hand=1.0),
    "face down": replace(PLAIN, face_down=0.06),
    "tilt 45": replace(PLAIN, tilt_deg=(45.0, 45.0)),
    "lens": replace(PLAIN, lens=(1.0, 1.0)),
    "defocus": replace(PLAIN, defocus_px=(4.0, 4.0)),
    "motion": replace(PLAIN, motion_px=(5.0, 5.0)),
    "overexposed": replace(PLAIN, stops=(2.0, 2.0)),
    "white toned": replace(PLAIN, stops=(2.0, 2.0), white=0.95),
    "sun": replace(PLAIN, stops=(-0.3, 0.3), sun=3.0, white=0.95, grounds=("wood", "dark")),
    "underexposed": replace(PLAIN, stops=(-2.0, -2.0)),
    "glare": replace(PLAIN, glare=(1.0, 1.0)),
    "shadow": replace(PLAIN, shadow=(0.7, 0.7)),
    "window": replace(PLAIN, window=0.12, grounds=("white",), blur_px=(1.3, 1.3)),
    "noise": replace(PLAIN, noise=(10.0, 10.0)),
    "processing": replace(PLAIN, processing=(3.0, 3.0)),
    "quality 50": replace(PLAIN, quality=(50, 50)),
    "messenger": replace(ORDINARY, longest_px=1600),
    "white table": replace(PLAIN, grounds=("white",)),
    "patterned": replace(PLAIN, grounds=("checked", "striped", "flowered")),
    "grey paper": replace(
        ORDINARY, paper=0.65, grounds=("white", "checked", "striped", "flowered")
    ),
    "near groups": replace(PLAIN, inside_mm=28.0, between_mm=34.0),
}
