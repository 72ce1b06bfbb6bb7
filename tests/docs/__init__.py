"""The documentation: its site, drawings, tutorials and example photos."""
