"""How far a ranking task is, and how well its participants score."""
