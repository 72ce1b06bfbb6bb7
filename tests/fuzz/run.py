"""Coverage-guided fuzzing: `python -m tests.fuzz.run --runs 100000 [--target svg]`.

Needs atheris (`pip install sketch-study[fuzz]`; Linux and macOS). Each target runs in a process of
its own; an input that is neither parsed nor refused ends it, and is printed and kept.
"""

import argparse
import contextlib
import subprocess
import sys
import tempfile
from pathlib import Path

SLOW_SHARE = 50


def main():
    """Fuzz the targets that were asked for; gives the number that failed."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--runs", type=int, default=10_000, help="inputs for each target")
    asked.add_argument("--target", help="only this one, in this process")
    choice = asked.parse_args()
    try:
        import atheris  # noqa: F401
    except ImportError:
        print("Skipped: atheris is not installed; pip install sketch-study[fuzz]")
        return 0
    if choice.target:
        fuzz(choice.target, choice.runs)
    from tests.fuzz.targets import TARGETS

    failed = total = 0
    for name, (_good, _parse, slow) in TARGETS.items():
        runs = choice.runs // SLOW_SHARE if slow else choice.runs
        command = [sys.executable, "-m", "tests.fuzz.run", "--target", name, "--runs", str(runs)]
        done = subprocess.run(command, capture_output=True, text=True, errors="replace")
        failed += done.returncode != 0
        total += runs if done.returncode == 0 else 0
        print(f"{name}: {runs if done.returncode == 0 else 'FAILED'}", flush=True)
        if done.returncode:
            print((done.stdout + done.stderr)[-3000:], flush=True)
    print(f"{total} inputs in all; {failed} of {len(TARGETS)} parsers failed")
    return failed


def fuzz(name, runs):
    """Fuzz one parser in this process; never returns."""
    import atheris

    with atheris.instrument_imports(include=["analysis", "basics", "printables", "study_app"]):
        from tests.fuzz.targets import REFUSALS, TARGETS
    good, parse, _slow = TARGETS[name]

    def try_(content):
        with contextlib.suppress(*REFUSALS):
            parse(content)

    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "good").write_bytes(good)
        options = [f"-runs={runs}", "-max_len=8192", "-timeout=60", "-verbosity=0"]
        atheris.Setup([sys.argv[0], *options, f"-artifact_prefix={folder}/", folder], try_)
        atheris.Fuzz()


if __name__ == "__main__":
    sys.exit(main())
