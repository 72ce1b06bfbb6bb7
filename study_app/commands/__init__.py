"""The verbs of `sketch-study` that work on a study."""
