"""The official Psych-DS validator, where it is installed.

Either Node has its package `psychds-validator`, or PSYCHDS_VALIDATOR is the command that starts it,
such as that for its public source (github.com/psych-ds/psychds-validator).
"""

import json
import os
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

PACKAGE = "psychds-validator"
# It would fetch the newest schema. Without a network it takes the one of its own package, so that
# the verdict depends only on the installed package.
OFFLINE = 'data:text/javascript,globalThis.fetch=()=>Promise.reject(new Error("offline"))'


def command():
    """The command that starts the validator, or None."""
    if given := os.environ.get("PSYCHDS_VALIDATOR"):
        return shlex.split(given)
    if not shutil.which("node") or not shutil.which("npm"):
        return None
    root = subprocess.run(["npm", "root", "-g"], capture_output=True, text=True, check=False)
    package = Path(root.stdout.strip() or ".") / PACKAGE
    if not (package / "package.json").exists():
        return None
    program = json.loads((package / "package.json").read_text("utf-8"))["bin"]["validate"]
    return ["node", "--import", OFFLINE, str(package / program)]


def errors(folder):
    """The errors that the validator finds, as (key, evidence); skips if it is not installed.

    Warnings are left out: they recommend folders that a dataset may lack.
    """
    validator = command()
    if validator is None:
        pytest.skip("the Psych-DS validator is not installed; PSYCHDS_VALIDATOR can name it")
    finished = subprocess.run(
        [*validator, str(folder), "--json"],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    result = json.loads(finished.stdout)
    assert result["summary"]["totalFiles"] > 1, finished.stderr
    found = [
        (issue["key"], [file.get("evidence", file["path"]) for file in issue["files"]])
        for issue in result["issues"]
        if issue["severity"] == "error"
    ]
    assert result["valid"] is not bool(found)
    return found
