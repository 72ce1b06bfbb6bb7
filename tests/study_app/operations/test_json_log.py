"""The log as JSON: tokens are masked, and errors quote no typed values."""

import json
import logging

import pytest

from study_app.operations.json_log import JsonFormatter, masked


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("GET /take-part/Ab-9_x/plan?x=1", "GET /take-part/…/plan?x=1"),
        ("http://h:1/welcome/Ab9?next=/", "http://h:1/welcome/…?next=/"),
        ("'/phone/Ab9' and /uploads/0f/pieces", "'/phone/…' and /uploads/…/pieces"),
        ("/studies/3/sketches/", "/studies/3/sketches/"),
    ],
)
def test_tokens_in_addresses_are_masked(text, expected):
    assert masked(text) == expected


def test_errors_are_logged_with_type_and_location():
    try:
        int("Ada Lovelace")
    except ValueError as fault:
        error = (ValueError, fault, fault.__traceback__)
    record = logging.LogRecord("study_app.x", logging.ERROR, "", 1, "job %s failed", (7,), error)
    line = json.loads(JsonFormatter().format(record))
    assert (line["level"], line["message"], line["error"]) == (
        "error",
        "job 7 failed",
        "ValueError",
    )
    assert line["places"][-1].startswith(__file__) and "Ada" not in json.dumps(line)
