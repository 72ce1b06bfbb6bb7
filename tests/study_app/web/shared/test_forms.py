"""The fields of forms, and redirects of sent forms, for a browser and for a script."""

from datetime import date

import pytest

from study_app.web.shared.forms import (
    LONGEST,
    FieldRefused,
    NumberField,
    as_typed,
    choice,
    date_or_none,
    decimal,
    sent_form,
    whole_number,
    whole_number_or_none,
)

LIMIT = NumberField("Time limit", 1, 600)
SHIFT = NumberField("Shift", -20, 20, "mm")
ODD = [
    "²",
    "१",
    "٣",
    "9" * 5000,
    "1" + "0" * 5000,
    "1_0",
    "1e999",
    "nan",
    "inf",
    "--1",
    "0x1",
    "1,2,3",
]


def test_whole_numbers():
    assert [whole_number(text, LIMIT) for text in ("1", " 600 ", "007")] == [1, 600, 7]
    assert [whole_number_or_none(text, LIMIT) for text in ("", "  ", "60")] == [None, None, 60]


def test_decimals_with_a_point_or_a_comma():
    written = ("3", "3.5", "3,5", ".5", "2.", "-20", "+1", "1e1")
    assert [decimal(text, SHIFT) for text in written] == [3, 3.5, 3.5, 0.5, 2, -20, 1, 10]


@pytest.mark.parametrize("written", [*ODD, "0", "601", "-1", "1.5", "1 0"])
def test_invalid_whole_numbers_are_refused(written):
    with pytest.raises(FieldRefused) as refused:
        whole_number(written, LIMIT)
    assert str(refused.value) == "Time limit must be a whole number, 1–600."
    with pytest.raises(FieldRefused) as refused:
        whole_number_or_none(written, LIMIT)
    assert str(refused.value) == "Time limit must be a whole number, 1–600, or empty."


@pytest.mark.parametrize("written", [*ODD, "", "20.1", "-20.1", ".", "1e9"])
def test_invalid_decimals_are_refused(written):
    with pytest.raises(FieldRefused) as refused:
        decimal(written, SHIFT)
    assert str(refused.value) == "Shift must be a number in mm, -20 to 20."


def test_choices():
    assert choice("slider", "Scale", ("points", "slider")) == "slider"
    with pytest.raises(FieldRefused, match="Scale must be one of: points, slider"):
        choice("", "Scale", ("points", "slider"))


@pytest.mark.parametrize("written", ODD)
def test_an_invalid_time_limit_plans_nothing(client, study_id, written):
    answer = client.post(f"/studies/{study_id}/sittings/plan", {"limit": written})
    assert answer.status_code == 400
    assert "Time limit must be a whole number in minutes, 1–1,440, or empty." in answer.text


def test_scripts_get_the_redirect_as_json(client):
    led = client.post("/studies", {"name": "Birds"})
    assert (led.status_code, led.headers["Location"]) == (302, "/studies/1/sketches/")
    answer = client.post("/studies", {"name": "Cars"}, headers={"Accept": "application/json"})
    assert (answer.status_code, answer.json) == (200, {"location": "/studies/2/sketches/"})
    assert "Location" not in answer.headers
    refused = client.post("/studies", {"name": "Cars"}, headers={"Accept": "application/json"})
    assert refused.status_code == 400
    assert "Cars" in refused.json["error"]


def test_texts_are_stored_normalised_and_shown_as_typed(app):
    typed = "Cafe\u0301\r\nIn\0  two\tlines\x1b \u200f\u05d0"
    with app.test_request_context(method="POST", data={"a": [typed, "2"], "b": ""}):
        assert sent_form().getlist("a") == ["Caf\u00e9\nIn  two\tlines \u200f\u05d0", "2"]
        assert (sent_form()["b"], sent_form().get("c"), as_typed("c")) == ("", None, "")
        assert as_typed("a") == typed


@pytest.mark.parametrize("read", [sent_form, lambda: as_typed("text")])
def test_the_length_of_a_text_is_limited(app, read):
    for length in (LONGEST, LONGEST + 1):
        with app.test_request_context(method="POST", data={"text": "x" * length}):
            if length == LONGEST:
                read()
            else:
                with pytest.raises(FieldRefused, match="text must have at most 200,000 characters"):
                    read()


def test_null_bytes_are_removed_from_names(client):
    client.post("/studies", {"name": "Bi\0rds"})
    assert "Birds" in client.get("/").text


def test_dates_in_forms():
    assert date_or_none(" 2027-12-31 ") == date(2027, 12, 31)
    assert date_or_none(" ") is None
    with pytest.raises(FieldRefused, match="not a date"):
        date_or_none("next year")
