"""The subcommands of `sketch-study` that work on a study."""
