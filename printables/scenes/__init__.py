"""Rendering photos of tables with cards, for the demo and the tests."""
