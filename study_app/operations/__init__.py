"""Running an installation: backup, restore, certificates, start-up."""
