"""Cards: their codes, layout, and rows in the manifest."""
