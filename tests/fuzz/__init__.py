"""Inputs that nobody wrote, put to every parser of bytes from outside."""
