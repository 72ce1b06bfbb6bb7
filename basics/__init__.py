"""Small things that all packages share: errors, output, number formats, progress, workers."""
