"""Tests of `printables`, in the same folders."""
