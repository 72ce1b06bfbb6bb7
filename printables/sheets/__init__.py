"""Card faces on pages, as PDF."""
