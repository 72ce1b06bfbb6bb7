"""Sizes of stored pictures; apart from `pictures`, so that decoding processes load no database."""

# Long side of the picture that is shown; at 600 dpi this is 85 mm of paper.
SHOWN_PIXELS = 2000
THUMBNAIL_PIXELS = 256
