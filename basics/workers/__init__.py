"""Decoding untrusted files in worker processes with memory and time limits."""
