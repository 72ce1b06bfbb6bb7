"""Files in a folder of results: tables, the record with its definitions, figures."""
