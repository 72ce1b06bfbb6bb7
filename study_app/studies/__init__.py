"""Studies: created, removed, and how far each one is."""
