"""Finding and decoding symbols: blobs, finder patterns, poses, grey levels, Reed-Solomon."""
