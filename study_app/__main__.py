"""`python -m study_app` is `sketch-study`."""

from study_app.cli import main

main()
