"""Files stored by an installation: their paths, and whether they exist."""
