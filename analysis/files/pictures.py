"""Pictures of stimuli: found in folders by id, and read at a small size on a white background."""

from __future__ import annotations

import io
import warnings
from collections.abc import Sequence
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from analysis.errors import InputError
from basics.wordings import Wording

if TYPE_CHECKING:
    from PIL import Image

# If a picture exists in two formats, the first of these is used.
ENDINGS = (".png", ".webp", ".jpg", ".jpeg", ".tif", ".tiff", ".bmp", ".gif")
MAX_PIXELS = 80_000_000


class PictureFolders:
    """The pictures in folders and their subfolders, by id.

    A picture matches an id that equals its file name or its path within the folder, with or without
    extension. The id itself is never used as a path.

    Parameters
    ----------
    folders : sequence of Path

    Raises
    ------
    InputError
        If a path is not a folder.
    """

    def __init__(self, folders: Sequence[Path]) -> None:
        self.folders = list(folders)
        self._by_id: dict[str, list[Path]] = {}
        for folder in folders:
            if not folder.is_dir():
                raise InputError("is not a folder; give the folder with the pictures", folder)
            for path in sorted(folder.rglob("*")):
                if path.suffix.lower() in ENDINGS and path.is_file():
                    inside = PurePath(path.relative_to(folder))
                    whole = inside.as_posix(), inside.with_suffix("").as_posix()
                    for name in {path.name, path.stem, *whole}:
                        self._by_id.setdefault(name, []).append(path)

    def find(self, id_: str, query: str | None = None) -> Path | None:
        """Find the picture of an id; None if there is none.

        Parameters
        ----------
        id_ : str
        query : str, optional
            If several pictures match, the one in the folder with this name is used.

        Raises
        ------
        InputError
            If several pictures match, also with `query`.
        """
        found = self._by_id.get(id_, [])
        found = [path for path in found if path.parent.name == query] or found
        if len({path.parent for path in found}) > 1:
            raise InputError(
                Wording(
                    "%(first)s and %(second)s: both match stimulus %(id)s; remove one, or put "
                    "each into a folder named after its query",
                    first=found[0],
                    second=found[1],
                    id=id_,
                )
            )
        return min(found, key=lambda path: ENDINGS.index(path.suffix.lower()), default=None)


def read_picture(picture: Path | bytes, side: int) -> NDArray[np.uint8]:
    """Read a bitmap, upright and on white, scaled so that its longer side has `side` pixels.

    Parameters
    ----------
    picture : Path or bytes
        A file, or its content.
    side : int
        Length of the longer side, in pixels.

    Returns
    -------
    uint8 array, shape (height, width, 3)

    Raises
    ------
    InputError
        If the picture cannot be read, or has more than 80 million pixels.
    """
    from PIL import Image, ImageOps

    path = picture if isinstance(picture, Path) else None
    source = io.BytesIO(picture) if isinstance(picture, bytes) else picture
    try:
        ignored = warnings.catch_warnings(action="ignore", category=Image.DecompressionBombWarning)
        with ignored, Image.open(source) as opened:
            if opened.width * opened.height > MAX_PIXELS:
                raise InputError(
                    Wording(
                        "has %(width)s x %(height)s pixels; reduce it to at most %(most)s pixels",
                        width=opened.width,
                        height=opened.height,
                        most=format(MAX_PIXELS, ","),
                    ),
                    path,
                )
            opened.draft("RGB", (side, side))
            shown = _on_white(ImageOps.exif_transpose(opened))
    except InputError:
        raise
    except Image.DecompressionBombError as reason:
        raise InputError(
            Wording(
                "is too large; reduce it to at most %(most)s pixels",
                most=format(MAX_PIXELS, ","),
            ),
            path,
        ) from reason
    except (OSError, ValueError, SyntaxError) as reason:
        raise InputError("cannot be read as a picture; save it again as PNG", path) from reason
    scale = side / max(shown.size)
    size = [max(1, round(length * scale)) for length in shown.size]
    return np.asarray(shown.resize((size[0], size[1]), Image.Resampling.LANCZOS))


def _on_white(picture: Image.Image) -> Image.Image:
    from PIL import Image

    if picture.mode.startswith("I"):
        # Pillow would clip 16-bit values to white instead of scaling them.
        deep = np.asarray(picture).astype(float) / 257
        return Image.fromarray(np.clip(deep, 0, 255).astype(np.uint8)).convert("RGB")
    if not picture.has_transparency_data:
        return picture.convert("RGB")
    clear = picture.convert("RGBA")
    white = Image.new("RGBA", clear.size, "white")
    white.alpha_composite(clear)
    return white.convert("RGB")
