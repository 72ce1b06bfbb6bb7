"""The tests: folders named like the packages mirror them; the others say what they are for."""
