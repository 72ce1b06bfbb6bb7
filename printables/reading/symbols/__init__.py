"""Finding and decoding symbols: blobs, finder patterns, poses, codewords, Reed-Solomon."""
