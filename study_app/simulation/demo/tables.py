"""Tables of the demo: cards cut from the printed PDF, laid in groups, and photographed."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import cv2
import numpy as np
import pypdfium2
from numpy.typing import NDArray

from printables.cards.manifest import ManifestRow
from printables.scenes.camera import Camera
from printables.scenes.card_on_table import CardOnTable
from printables.scenes.layout import arrange_groups
from printables.scenes.render import render_table

PRINT_DPI = 300
POINTS_PER_INCH = 72
MM_PER_INCH = 25.4
JPEG_QUALITY = 85


def cut_cards(pdf_path: Path, manifest: Iterable[ManifestRow]) -> dict[str, CardOnTable]:
    """Cut every card out of the printed pages, as the trimmer would.

    Parameters
    ----------
    pdf_path : Path
    manifest : iterable of printables.cards.manifest.ManifestRow

    Returns
    -------
    dict of str to CardOnTable
        By stimulus; each at the origin.
    """
    cards, pages = {}, {}
    with pypdfium2.PdfDocument(pdf_path) as document:
        for row in manifest:
            if row.page not in pages:
                pages[row.page] = _grey_page(document, row.page - 1)
            box = np.array([row.x_mm, row.y_mm, row.width_mm, row.height_mm])
            x, y, width, height = np.rint(box * PRINT_DPI / MM_PER_INCH).astype(int)
            face = pages[row.page][y : y + height, x : x + width].copy()
            cards[row.stimulus] = CardOnTable(face, row.width_mm, row.height_mm, 0, 0)
    return cards


def _grey_page(document: pypdfium2.PdfDocument, index: int) -> NDArray[np.uint8]:
    page = document[index]
    bitmap = page.render(scale=PRINT_DPI / POINTS_PER_INCH, grayscale=True)
    grey = bitmap.to_numpy().squeeze().copy()
    page.close()
    return grey


def photograph(
    groups: Sequence[Sequence[str]],
    cards: Mapping[str, CardOnTable],
    rng: np.random.Generator,
    megapixels: float = 8.0,
) -> bytes:
    """Render a photo of a table with the groups.

    Parameters
    ----------
    groups : list of list of str
        The stimuli of each group.
    cards : dict of str to CardOnTable
        As `cut_cards` gives them; all of the same size.
    rng : numpy.random.Generator
    megapixels : float

    Returns
    -------
    bytes
        A JPEG file.
    """
    first = next(iter(cards.values()))
    size = (first.width_mm, first.height_mm)
    places = arrange_groups([len(group) for group in groups], size, rng)
    stimuli = [stimulus for group in groups for stimulus in group]
    laid = [
        CardOnTable(cards[stimulus].face, *size, place.x_mm, place.y_mm, place.angle_deg)
        for stimulus, place in zip(stimuli, places, strict=True)
    ]
    photo, _to_pixels = render_table(laid, Camera(megapixels), rng)
    _done, encoded = cv2.imencode(".jpg", photo, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    return encoded.tobytes()
