"""The printed deck as a reader knows it, and recognising its cards in a photo."""
