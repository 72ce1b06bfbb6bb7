"""Results of a study: gold standards, measured systems, and exports."""
