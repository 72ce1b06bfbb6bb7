"""Print how much of each package the tests run, as the table of the documentation.

Run the tests with ``pytest --cov --cov-report=`` before.
"""

import os
from collections import Counter
from pathlib import Path

from coverage import Coverage

PROJECT = Path(__file__).resolve().parent.parent
PACKAGES = ("analysis", "basics", "printables", "study_app")


def counts(coverage):
    """Statements, and those that ran, by room and by package."""
    statements, run = Counter(), Counter()
    for name in filter(os.path.isfile, coverage.get_data().measured_files()):
        parts = Path(name).relative_to(PROJECT).parts
        _, every, _, missing, _ = coverage.analysis2(name)
        for place in (parts[0], "/".join(parts[:2]) if len(parts) > 2 else None):
            if place:
                statements[place] += len(every)
                run[place] += len(every) - len(missing)
    return statements, run


def table(statements, run):
    """A row a package, and below it a row a room."""
    rows = ["| package | statements | run by the tests |", "|---|---|---|"]
    for place in sorted(statements):
        name = f"**{place}**" if "/" not in place else place
        share = 100 * run[place] / statements[place] if statements[place] else 100
        rows.append(f"| {name} | {statements[place]:,} | {share:.0f} % |")
    return "\n".join(rows)


def main():
    """Read the measurement that lies in the project's folder."""
    coverage = Coverage(data_file=str(PROJECT / ".coverage"), config_file=True)
    coverage.load()
    print(table(*counts(coverage)))


if __name__ == "__main__":
    main()
