"""The audit list: recording of every change, and the list as pages show it."""
