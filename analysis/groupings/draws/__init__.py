"""Random groupings with the same group sizes: orders, agreement in them, sums that are updated."""
