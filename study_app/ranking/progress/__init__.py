"""Progress of a ranking task, and quality of its scores."""
