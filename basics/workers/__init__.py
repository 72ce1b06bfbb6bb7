"""Decoding of untrusted files, in a few processes with memory and time limits."""
