"""The demo: a whole small study that a program draws, sorts and ranks, marked as simulated."""
