"""A card's content: its code, its layout, its row in the manifest."""
