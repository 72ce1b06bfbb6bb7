"""Preparing sketches and text for paper: bitmaps, strokes, SVG, fonts."""
