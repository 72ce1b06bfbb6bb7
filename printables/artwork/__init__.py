"""A sketch made ready for paper: bitmaps, strokes, SVG, fonts."""
