"""The pages that a participant sees."""
