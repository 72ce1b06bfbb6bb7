"""Figures for papers: one module per subject, in a shared style."""
