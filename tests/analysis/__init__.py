"""Tests of `analysis`, with the same folders."""
