"""Tests of `study_app`, with the same folders."""
