"""Work on bytes from outside, in a few processes bounded in memory and time."""
