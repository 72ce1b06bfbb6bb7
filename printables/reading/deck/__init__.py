"""The known deck, and recognising its cards in a photo."""
