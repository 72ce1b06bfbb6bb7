"""Small things that every package needs: plurals, atomic output, progress, errors."""
