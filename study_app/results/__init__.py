"""Results of a study: gold standards, exports, and systems measured against either."""
