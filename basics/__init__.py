"""Small things that every package needs: plurals, whole files or none, progress, refusals."""
