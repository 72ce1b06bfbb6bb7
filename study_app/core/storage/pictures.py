"""Storage of pictures: each once, under the SHA-256 of the imported file.

originals/<aa>/<sha256>        the imported file (or one line of a Quick, Draw! file)
pictures/<aa>/<sha256>.png     what people see: upright, on white, limited size, no metadata
thumbnails/<aa>/<sha256>.webp  its thumbnail
vectors/<aa>/<sha256>.svg      a sanitised line drawing, for print; .json for strokes
checksums/<aa>/<sha256>.json   the SHA-256 of the last three
"""

from typing import Protocol

from PIL import Image

from printables.artwork.bitmaps import MOST_PIXELS
from study_app.core.config import Settings
from study_app.core.storage import content
from study_app.core.storage.chosen_store import store_of
from study_app.core.storage.picture_sizes import SHOWN_PIXELS
from study_app.core.storage.stores import Store
from study_app.models import Picture

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


def original_name(sha256: str) -> str:
    """The file as it was imported."""
    return stored_name("originals", sha256)


def picture_name(sha256: str) -> str:
    """The PNG that is shown to people."""
    return stored_name("pictures", sha256, ".png")


def thumbnail_name(sha256: str) -> str:
    """The WebP thumbnail for lists."""
    return stored_name("thumbnails", sha256, ".webp")


def vector_name(sha256: str, form: str) -> str:
    """The lines of a picture whose form is "svg" or "strokes"."""
    return stored_name("vectors", sha256, VECTOR_ENDINGS[form])


def printable_name(settings: Settings, picture: Picture) -> str:
    """The best form of a picture for print.

    Lines stay lines; PNG and JPEG are printed from the original, without a second lossy pass;
    other bitmaps, and those too large for paper, from the PNG made of them.
    """
    if picture.form in VECTOR_ENDINGS:
        return vector_name(picture.sha256, picture.form)
    original, shown = original_name(picture.sha256), picture_name(picture.sha256)
    store = store_of(settings)
    if picture.media_type not in ("image/png", "image/jpeg") or not store.exists(original):
        return shown
    reduced = max(picture.width, picture.height) >= SHOWN_PIXELS
    return shown if reduced and _pixels(store, original) > MOST_PIXELS else original


def _pixels(store: Store, name: str) -> int:
    with store.opened(name) as source, Image.open(source.file) as image:
        return image.width * image.height


def save(settings: Settings, sha256: str, original: bytes, prepared: PictureFiles) -> None:
    """Write the files of a picture, each completely or not at all.

    Parameters
    ----------
    settings : study_app.core.config.Settings
    sha256 : str
        SHA-256 of `original`.
    original : bytes
        The imported file.
    prepared : PictureFiles
        The files made from it.
    """
    store = store_of(settings)
    made = {picture_name(sha256): prepared.png, thumbnail_name(sha256): prepared.webp}
    if prepared.vector is not None:
        made[vector_name(sha256, prepared.form)] = prepared.vector
    # All of them are rewritten: another version may have made different files from the original.
    for name, file in {original_name(sha256): original, **made}.items():
        store.put(name, file, durable=False)
    content.note(store, sha256, made)


def names(sha256: str, form: str) -> list[str]:
    """The names of all files of a picture."""
    found = [original_name(sha256), picture_name(sha256), thumbnail_name(sha256)]
    return found + ([vector_name(sha256, form)] if form in VECTOR_ENDINGS else [])


def are_stored(settings: Settings, sha256: str, form: str) -> bool:
    """Whether every file of a picture exists."""
    store = store_of(settings)
    return all(store.exists(name) for name in names(sha256, form))


def delete(settings: Settings, sha256: str) -> None:
    """Delete the files of a picture that no stimulus shows any more."""
    store = store_of(settings)
    for name in {name for form in VECTOR_ENDINGS for name in names(sha256, form)}:
        content.delete(store, name)
    store.delete(content.checksums_name(sha256))


def stored_name(kind: str, sha256: str, ending: str = "") -> str:
    """The name of a file stored under a SHA-256.

    Raises
    ------
    ValueError
        If it is not one.
    """
    if len(sha256) != 64 or not set(sha256) <= set("0123456789abcdef"):
        raise ValueError("a picture's name should be the 64 hexadecimal digits of its SHA-256")
    return f"{kind}/{sha256[:2]}/{sha256}{ending}"
