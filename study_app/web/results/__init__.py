"""Pages of gold standards, exports and evaluated systems."""
