"""Rendered photos of tables, for the demo and the tests."""
