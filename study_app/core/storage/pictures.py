"""Storage of pictures: each once, under the SHA-256 of the imported file.

originals/<aa>/<sha256>        the file as it came (one line of a Quick, Draw! file)
pictures/<aa>/<sha256>.png     what people see: upright, on white, bounded, nothing else inside
thumbnails/<aa>/<sha256>.webp  the same, small
vectors/<aa>/<sha256>.svg      a drawing in lines, made safe, for print; .json for strokes
"""

from pathlib import Path
from typing import Protocol

from PIL import Image

from printables.artwork.bitmaps import MOST_PIXELS
from study_app.core.config import Settings
from study_app.core.storage.whole_files import write_whole
from study_app.models import Picture

# Long side of the picture that is shown; at 600 dpi this is 85 mm of paper.
SHOWN_PIXELS = 2000
THUMBNAIL_PIXELS = 256
VECTOR_ENDINGS = {"svg": ".svg", "strokes": ".json"}


class PictureFiles(Protocol):
    """Files stored for a picture, besides the original."""

    @property
    def form(self) -> str: ...

    @property
    def png(self) -> bytes: ...

    @property
    def webp(self) -> bytes: ...

    @property
    def vector(self) -> bytes | None: ...


def original_path(settings: Settings, sha256: str) -> Path:
    """The file as it was imported."""
    return _place(settings, "originals", sha256, "")


def picture_path(settings: Settings, sha256: str) -> Path:
    """The PNG that is shown to people."""
    return _place(settings, "pictures", sha256, ".png")


def thumbnail_path(settings: Settings, sha256: str) -> Path:
    """The WebP thumbnail for lists."""
    return _place(settings, "thumbnails", sha256, ".webp")


def vector_path(settings: Settings, sha256: str, form: str) -> Path:
    """The lines of a picture whose form is "svg" or "strokes"."""
    return _place(settings, "vectors", sha256, VECTOR_ENDINGS[form])


def printable_path(settings: Settings, picture: Picture) -> Path:
    """The best form of a picture for print.

    Lines stay lines; PNG and JPEG are printed from the original, without a second lossy pass;
    other bitmaps, and those too large for paper, from the PNG made of them.
    """
    if picture.form in VECTOR_ENDINGS:
        return vector_path(settings, picture.sha256, picture.form)
    original = original_path(settings, picture.sha256)
    if picture.media_type not in ("image/png", "image/jpeg") or not original.is_file():
        return picture_path(settings, picture.sha256)
    reduced = max(picture.width, picture.height) >= SHOWN_PIXELS
    too_large = reduced and _pixels(original) > MOST_PIXELS
    return picture_path(settings, picture.sha256) if too_large else original


def _pixels(path: Path) -> int:
    with Image.open(path) as image:
        return image.width * image.height


def keep(settings: Settings, sha256: str, original: bytes, prepared: PictureFiles) -> None:
    """Write the files of a picture, each whole or not at all; existing files stay.

    Parameters
    ----------
    settings : study_app.core.config.Settings
    sha256 : str
        Of `original`.
    original : bytes
        The file as it came.
    prepared : PictureFiles
        The files made from it.
    """
    _write(original_path(settings, sha256), original)
    _write(picture_path(settings, sha256), prepared.png)
    _write(thumbnail_path(settings, sha256), prepared.webp)
    if prepared.vector is not None:
        _write(vector_path(settings, sha256, prepared.form), prepared.vector)


def paths(settings: Settings, sha256: str, form: str) -> list[Path]:
    """Every file that a picture of that form has."""
    found = [place(settings, sha256) for place in (original_path, picture_path, thumbnail_path)]
    return found + ([vector_path(settings, sha256, form)] if form in VECTOR_ENDINGS else [])


def are_kept(settings: Settings, sha256: str, form: str) -> bool:
    """Whether every file of a picture exists."""
    return all(path.is_file() for path in paths(settings, sha256, form))


def forget(settings: Settings, sha256: str) -> None:
    """Delete the files of a picture that no stimulus shows any more."""
    for path in {path for form in VECTOR_ENDINGS for path in paths(settings, sha256, form)}:
        path.unlink(missing_ok=True)


def _place(settings: Settings, kind: str, sha256: str, ending: str) -> Path:
    if len(sha256) != 64 or not set(sha256) <= set("0123456789abcdef"):
        raise ValueError("a picture's name should be the 64 hexadecimal digits of its SHA-256")
    return Path(settings.instance) / kind / sha256[:2] / (sha256 + ending)


def _write(path: Path, content: bytes) -> None:
    if not path.exists():
        write_whole(path, content, durable=False)
