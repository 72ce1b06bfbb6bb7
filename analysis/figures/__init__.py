"""Figures for papers; one module per subject, one shared style."""
