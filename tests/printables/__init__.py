"""Tests of `printables`, with the same folders."""
