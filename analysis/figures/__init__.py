"""Every figure that a paper would print; one module a subject, one shared style."""
