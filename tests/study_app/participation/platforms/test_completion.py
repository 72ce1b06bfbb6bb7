"""The return URL of a participant contains the completion code, once."""

import pytest

from study_app.participation.platforms.completion import (
    address_for_other,
    agreed_code,
    return_address,
)
from study_app.participation.refusals import TaskUnclear


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
        # A short code may be part of a word in the URL by chance.
        ("https://p.example/done?a=1", "e", "https://p.example/done?a=1&cc=e"),
        ("https://p.example/done?code=e", "e", "https://p.example/done?code=e"),
        ("https://p.example/done#e", "e", "https://p.example/done#e"),
    ],
)
def test_the_code_is_in_the_return_url_once(address, code, expected):
    assert return_address(address, code) == expected


@pytest.mark.parametrize(
    ("address", "code", "agreed"),
    [
        ("", "", ""),
        ("", "AB12", "AB12"),
        ("https://p.example/done", "", ""),
        ("https://p.example/done?cc=C1X2", "", "C1X2"),
        ("https://p.example/done?cc=C1X2", "C1X2", "C1X2"),
        ("https://p.example/done?cc={code}", "AB12", "AB12"),
        ("https://p.example/done?cc={code}", "", ""),
    ],
)
def test_the_code_in_a_return_url_becomes_that_of_the_task(address, code, agreed):
    assert agreed_code(address, code) == agreed


def test_contradicting_codes_are_refused():
    with pytest.raises(TaskUnclear, match=r"contains cc=C1X2, but the completion code is AB12"):
        agreed_code("https://p.example/done?cc=C1X2", "AB12")


def test_sona_gives_credit_by_its_own_code_of_the_person():
    address = (
        "https://lab.sona-systems.com/webstudy_credit.aspx?credit_token=9&survey_code={person}"
    )
    assert return_address(address, "AB12", "4 7").endswith("?credit_token=9&survey_code=4%207")


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("https://p.example/done", "https://p.example/done"),
        ("https://p.example/d?a=1&cc=AB12#x", "https://p.example/d?a=1&cc={code}#x"),
        ("https://p.example/d?cc={code}", "https://p.example/d?cc={code}"),
        # It contains the completion code, so it cannot be used for other endings.
        ("https://p.example/AB12/done", ""),
    ],
)
def test_other_endings_do_not_return_with_the_completion_code(address, expected):
    assert address_for_other(address, "AB12") == expected


def test_the_redirect_of_connect_pays_and_is_only_for_complete_participation():
    address = "https://connect.cloudresearch.com/participant/project/AB12/complete"
    assert return_address(address, "DONE1") == address
    assert address_for_other(address, "DONE1") == ""
