"""`python -m study_app` is `sketch-study`."""

from study_app.cli import main

# Processes that it starts import this file under another name.
if __name__ == "__main__":
    main()
