"""Print how much of each package the tests run, as the table of the documentation.

Run the tests with ``pytest --cov --cov-report=`` before.
"""

from collections import Counter
from pathlib import Path

from coverage import Coverage

PROJECT = Path(__file__).resolve().parent.parent
PACKAGES = ("analysis", "basics", "printables", "study_app")


def counts(coverage):
    """Statements, and those that ran, by room and by package."""
    statements, run = Counter(), Counter()
    measured = map(Path, coverage.get_data().measured_files())
    # Templates are measured, too, but not as statements of Python.
    for path in (path for path in measured if path.suffix == ".py" and path.is_file()):
        parts = path.relative_to(PROJECT).parts
        _, every, _, missing, _ = coverage.analysis2(str(path))
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
        # Rounded down: 100 % has no exception.
        share = 100 * run[place] // statements[place] if statements[place] else 100
        rows.append(f"| {name} | {statements[place]:,} | {share} % |")
    return "\n".join(rows)


def main():
    """Print the table of the measurement in the project's folder."""
    coverage = Coverage(data_file=str(PROJECT / ".coverage"), config_file=True)
    coverage.load()
    print(table(*counts(coverage)))


if __name__ == "__main__":
    main()
