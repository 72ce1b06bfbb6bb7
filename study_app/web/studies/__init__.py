"""Pages of studies: steps, members, audit list, people and their data."""
