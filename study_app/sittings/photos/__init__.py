"""Photos of a sorted table: stored, read, and turned into proposed groups."""
