"""Output files of commands: tables, records with definitions, and figures."""
