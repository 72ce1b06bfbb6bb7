"""Studies: creation, deletion and progress."""
