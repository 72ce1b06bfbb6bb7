"""What a card says: its code, its layout, its row in the manifest."""
