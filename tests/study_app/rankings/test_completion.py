"""The address that a participant goes back to holds the completion code, once."""

import pytest

from study_app.models.ranking import RankingTask
from study_app.rankings.completion import return_address


@pytest.mark.parametrize(
    ("address", "code", "expected"),
    [
        ("", "AB12", ""),
        ("https://p.example/done", "AB12", "https://p.example/done?cc=AB12"),
        ("https://p.example/done?", "AB12", "https://p.example/done?cc=AB12"),
        ("https://p.example/d?a=1&a=2&b=", "AB12", "https://p.example/d?a=1&a=2&b=&cc=AB12"),
        ("https://p.example/d?a=x%20y#end", "AB12", "https://p.example/d?a=x%20y&cc=AB12#end"),
        ("https://p.example/d?cc=AB12", "AB12", "https://p.example/d?cc=AB12"),
        ("https://p.example/d/A%20B", "A B", "https://p.example/d/A%20B"),
        ("https://p.example/d?cc=THEIRS", "AB12", "https://p.example/d?cc=THEIRS"),
        (
            "https://p.example/{code}/d?c={code}",
            "A&B/1",
            "https://p.example/A%26B%2F1/d?c=A%26B%2F1",
        ),
        ("https://p.example/d", "A&B 1", "https://p.example/d?cc=A%26B+1"),
        ("https://[p/d", "AB12", "https://[p/d?cc=AB12"),
    ],
)
def test_the_code_is_in_the_address_once(address, code, expected):
    task = RankingTask(completion_url=address, completion_code=code)
    assert return_address(task) == expected
