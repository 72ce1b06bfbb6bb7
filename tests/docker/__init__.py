"""The files for containers and for systemd, as far as they can be checked without running them."""
