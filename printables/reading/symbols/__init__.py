"""Finding and decoding single symbols: blobs, poses, grey levels, Reed-Solomon."""
