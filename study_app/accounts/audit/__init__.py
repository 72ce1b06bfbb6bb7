"""The audit list: what is recorded of every change, and the list that people read."""
