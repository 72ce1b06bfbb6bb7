"""A table study and a study on a recruitment platform, walked by participants and a researcher."""
