"""The known deck, and recognising symbols among its cards."""
