"""Evaluation of clusterings and similarities from systems against people's groupings."""
