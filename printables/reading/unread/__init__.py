"""Cards that were not read: where they lie, another search on them, and what may hide more."""
