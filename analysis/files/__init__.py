"""Readers and writers of files, one module per format."""
