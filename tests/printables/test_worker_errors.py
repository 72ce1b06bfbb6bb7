"""Failures of worker processes as errors about the file."""

import pytest

from basics.errors import Refusal
from basics.workers import pool
from printables.errors import PaperError
from printables.worker_errors import as_paper_errors


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (pool.TaskFailed("killed"), "a.jpg: is too much"),
        (Refusal("is not a photo", "b.jpg"), "b.jpg: is not a photo"),
        (Refusal("has no header", "b.csv", 3), "b.csv:3: has no header"),
    ],
)
def test_each_failure_is_an_error_about_the_file(fault, message):
    with pytest.raises(PaperError) as refused, as_paper_errors("a.jpg", "is too much"):
        raise fault
    assert str(refused.value) == message


def test_other_errors_are_passed_on():
    with pytest.raises(KeyError), as_paper_errors("a.jpg", "is too much"):
        raise KeyError
