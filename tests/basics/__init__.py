"""Tests of `basics`, with the same folders."""
