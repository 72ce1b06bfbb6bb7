"""Texts: languages, names, lengths, and cells of spreadsheets."""
