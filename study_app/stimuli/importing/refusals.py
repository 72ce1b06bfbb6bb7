"""Why a single file is left out of an import."""


class FileRefused(Exception):
    """One file cannot become a stimulus; `str()` says why and what to do, without its name."""
