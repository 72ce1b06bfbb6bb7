"""The pages for signing in, and for a researcher's own account."""
