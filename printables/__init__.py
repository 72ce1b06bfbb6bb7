"""Printing cards with codes, and reading photos of them.

The most-used names can be imported from here; each is loaded when first used::

    from printables import KnownDeck, read_photo
"""

import importlib
from typing import Any

_MODULES = {
    "cards.card": ("CardLayout", "symbol_square"),
    "cards.codes": ("CardCode", "decode", "encode", "symbol"),
    "errors": ("PaperError",),
    "sheets.face": ("SetOfCards", "header_cards"),
    "reading.together.joining": ("JoinedTable", "join_photos"),
    "reading.together.settling": ("settle",),
    "reading.deck.known_deck": ("KnownDeck",),
    "cards.manifest": ("read_manifest", "write_manifest"),
    "reading.overlay": ("draw_overlay",),
    "sheets.pdf": ("draw_pages",),
    "reading.reader": ("PhotoReading", "ReadSymbol", "read_codes", "read_photo"),
    "scenes.render": ("Camera", "CardOnTable", "render_table"),
    "sheets.sheet": ("SheetLayout", "impose", "manifest_rows"),
    "tabletop.grouping": ("TablePlan", "group_cards", "plan_table"),
}
_MODULE_OF = {name: module for module, names in _MODULES.items() for name in names}
__all__ = sorted(_MODULE_OF)


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'printables' has no attribute {name!r}")
    return getattr(importlib.import_module(f"printables.{_MODULE_OF[name]}"), name)


def __dir__() -> list[str]:
    return [*globals(), *__all__]
