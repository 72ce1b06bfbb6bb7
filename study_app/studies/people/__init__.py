"""People who judge, at a table or on the web: withdrawal, exclusion, and their stored data."""
