"""The kind of a file from its first bytes; its name is not trusted."""

HEAD_BYTES = 4096

_SIGNATURES = (
    (b"\x89PNG\r\n\x1a\n", "png"),
    (b"\xff\xd8\xff", "jpeg"),
    (b"GIF87a", "gif"),
    (b"GIF89a", "gif"),
    (b"II*\x00", "tiff"),
    (b"MM\x00*", "tiff"),
    (b"BM", "bmp"),
    (b"PK\x03\x04", "zip"),
    (b"PK\x05\x06", "zip"),
)

BITMAPS = {
    "png": "image/png",
    "jpeg": "image/jpeg",
    "gif": "image/gif",
    "tiff": "image/tiff",
    "bmp": "image/bmp",
    "webp": "image/webp",
}

_ENDINGS = {
    ".png": "png",
    ".jpg": "jpeg",
    ".jpeg": "jpeg",
    ".gif": "gif",
    ".tif": "tiff",
    ".tiff": "tiff",
    ".bmp": "bmp",
    ".webp": "webp",
    ".svg": "svg",
    ".zip": "zip",
    ".ndjson": "ndjson",
}


def kind_of(head: bytes) -> str | None:
    """The kind of a file from its first bytes; None if it can't be imported."""
    for signature, kind in _SIGNATURES:
        if head.startswith(signature):
            return kind
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return "webp"
    text = _text(head)
    if text.startswith("<") and "<svg" in text:
        return "svg"
    if text.startswith("{") and '"drawing"' in text:
        return "ndjson"
    return None


def claimed_kind(name: str) -> str | None:
    """The kind that a file's name claims, or None."""
    dot = name.rfind(".")
    return _ENDINGS.get(name[dot:].lower()) if dot > 0 else None


def _text(head: bytes) -> str:
    for mark, encoding in ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16")):
        if head.startswith(mark):
            return head.decode(encoding, "ignore").lstrip()
    return head.decode("utf-8", "ignore").lstrip("\ufeff \t\r\n")
