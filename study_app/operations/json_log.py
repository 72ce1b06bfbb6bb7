"""The log as JSON, one object a line, without names, addresses or tokens.

Of an error the kind and the places in the program are written, not its message: that may quote what
somebody typed.
"""

import json
import logging
import os
import re
import sys
import traceback
from datetime import UTC, datetime

# The addresses of pages that hold the token of whoever opens them.
_TOKEN = re.compile(r"(/(?:take-part|welcome|phone|uploads)/)[^/\s?\"']+")
FIELDS = "request"


class JsonFormatter(logging.Formatter):
    """One record as one line."""

    def format(self, record: logging.LogRecord) -> str:
        """The record: when, how severe, which process, which part, what; and a request's fields."""
        line = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "process": os.getpid(),
            "part": record.name,
            "message": masked(record.getMessage()),
            **getattr(record, FIELDS, {}),
        }
        if record.exc_info and record.exc_info[0]:
            line["error"] = record.exc_info[0].__name__
            frames = traceback.extract_tb(record.exc_info[2])
            line["places"] = [f"{frame.filename}:{frame.lineno}" for frame in frames]
        return json.dumps(line)


def masked(text: str) -> str:
    """A text in which the tokens of addresses are left out."""
    return _TOKEN.sub(r"\1…", text)


def begin() -> None:
    """Write the log of this process to standard error in this form, requests included."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter())
    logging.basicConfig(handlers=[handler], level=logging.INFO, force=True)
    # It tells the arguments of jobs, which name sets.
    logging.getLogger("procrastinate").setLevel(logging.WARNING)
    logging.getLogger("alembic").setLevel(logging.WARNING)
