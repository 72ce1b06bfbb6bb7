"""Tests of `basics`, in the same folders."""
