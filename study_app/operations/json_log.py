"""The log as JSON, one object a line, without names, addresses or tokens.

Errors are logged with their kind and their places in the program, without their message, which may
quote what somebody typed.
"""

import json
import logging
import os
import re
import sys
import traceback
from datetime import UTC, datetime

# The addresses of pages that contain a token.
_TOKEN = re.compile(r"(/(?:take-part|welcome|phone|uploads)/)[^/\s?\"']+")
FIELDS = "request"


class JsonFormatter(logging.Formatter):
    """One record as one line."""

    def format(self, record: logging.LogRecord) -> str:
        """The record: time, level, process, logger and message; for a request also its fields."""
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
    """The text with the tokens in URLs removed."""
    return _TOKEN.sub(r"\1…", text)


def begin() -> None:
    """Log this process to standard error in this form, requests included."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter())
    logging.basicConfig(handlers=[handler], level=logging.INFO, force=True)
    # It logs the arguments of jobs, which contain names of sets.
    logging.getLogger("procrastinate").setLevel(logging.WARNING)
    logging.getLogger("alembic").setLevel(logging.WARNING)
